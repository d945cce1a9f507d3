import { DownloadOutlined } from '@ant-design/icons'
import { Button, Table } from 'antd'
import { useCall } from '../../../../console/kernel/api.ts'
import { EmptyList, Failure } from '../../../../console/kernel/Empty.tsx'
import type { ToolProps } from '../../../../console/kernel/plainScreens.ts'
import { saveCsv } from '../../../../console/session/request.ts'
import { currency, useMay } from '../../../../console/session/session.ts'
import { SidePanel } from '../../../../console/shell/SidePanel.tsx'
import { To } from '../../../../console/shell/To.tsx'
import { moneyText } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import type { Answer } from '../../../../contract/call.ts'
import { seesCost, sparePartCalls } from '../contract.ts'
import { quantityText } from './StockBar.tsx'

type Proposal = Answer<typeof sparePartCalls.proposals>['Items'][number]

/** Parts below their minimum, with the quantity to buy. */
const Proposals = ({ close }: ToolProps) => {
  const t = useWords()
  const cost = useMay(seesCost)
  const { data, error, refetch } = useCall(sparePartCalls.proposals, { of: ['mtnComponent', 'mtnComponentRecord'] })
  const items = data?.Items ?? []
  const columns: { title: string; text: (p: Proposal) => string; end?: true }[] = [
    { title: t('mtnComponent.ComponentName'), text: (p) => p.ComponentName },
    { title: t('mtnComponent.SupplierName'), text: (p) => p.SupplierName ?? '' },
    { title: t('mtnComponent.StockQty'), text: (p) => quantityText(p.StockQty), end: true },
    { title: t('mtnComponent.MinQty'), text: (p) => quantityText(p.MinQty), end: true },
    { title: t('part.used'), text: (p) => quantityText(p.UsedQty), end: true },
    { title: t('part.buy'), text: (p) => `${quantityText(p.BuyQty)} ${p.Unit}`, end: true },
    ...(cost
      ? [
          {
            title: t('part.amount'),
            text: (p: Proposal) => (p.Amount === null ? '' : moneyText(p.Amount, currency(), language())),
            end: true as const,
          },
        ]
      : []),
  ]
  const save = () =>
    saveCsv(
      [
        [t('mtnComponent.ComponentNo'), ...columns.map((c) => c.title)],
        ...items.map((p) => [p.ComponentNo, ...columns.map((c) => c.text(p))]),
      ],
      'proposal.csv',
    )
  return (
    <SidePanel
      width={900}
      title={t('part.proposals')}
      onClose={close}
      extra={
        <Button icon={<DownloadOutlined />} disabled={!items.length} onClick={save}>
          {t('button.export')}
        </Button>
      }
    >
      {error && !data && <Failure fault={error} retry={() => refetch()} />}
      {data && !items.length && <EmptyList text={t('part.nothingLow')} />}
      {items.length > 0 && (
        <Table<Proposal>
          size="small"
          rowKey="ComponentId"
          pagination={false}
          scroll={{ x: 'max-content' }}
          dataSource={items}
          columns={columns.map(({ title, text, end }, i) => ({
            title,
            align: end ? ('end' as const) : ('start' as const),
            render: (_: unknown, p: Proposal) =>
              i === 0 ? (
                <To to={`/maintenanceCenter/parts/archives?Id=${p.ComponentId}`}>{text(p)}</To>
              ) : (
                <span className={end && 'figures'}>{text(p)}</span>
              ),
          }))}
        />
      )}
    </SidePanel>
  )
}
export default Proposals
