import { DownloadOutlined } from '@ant-design/icons'
import { Button, Table } from 'antd'
import { useCall, useWrite } from '../../../../console/kernel/api.ts'
import { EmptyList } from '../../../../console/kernel/Empty.tsx'
import { download, queryString } from '../../../../console/session/request.ts'
import { useMay } from '../../../../console/session/session.ts'
import { Facts } from '../../../../console/theme/Facts.tsx'
import { usePhone } from '../../../../console/theme/useWidth.ts'
import { costText, none } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import { Choose } from '../../../energy/consumption/console/EnergyPage.tsx'
import { Answered } from '../../../energy/consumption/console/views/Answered.tsx'
import { dosingCalls, type Figure, type Matrix, report } from '../contract.ts'
import { DosingPage } from './DosingPage.tsx'
import { MadeText } from './MadeText.tsx'
import { amountText } from './texts.ts'
import { sources, useDosing } from './useDosing.ts'

type Row = Matrix['Rows'][number]
const tables = ['chemicals', 'regions'] as const
const shows = ['qty', 'dose', 'cost'] as const
type Show = (typeof shows)[number]

const MatrixTable = ({ matrix: { Columns, Rows, Currency }, show, isRegion }: { matrix: Matrix; show: Show; isRegion: boolean }) => {
  const t = useWords()
  const phone = usePhone()
  const text = ({ Qty, Dose, Cost }: Figure) =>
    show === 'cost' ? costText(Cost, Currency, language()) : amountText(show === 'dose' ? Dose : Qty)
  const nameOf = ({ Name, DrugName }: Row) => (isRegion ? `${Name} · ${DrugName}` : DrugName)
  const unitOf = ({ Unit }: Row) => (show === 'cost' ? '' : show === 'dose' ? 'mg/L' : Unit)
  const perM3 = ({ Total }: Row) => (Total.CostPerM3 == null ? none : costText(Total.CostPerM3 * 1000, Currency, language()))
  const hasCost = Rows.some(({ Total }) => Total.Cost !== undefined)
  if (phone)
    return (
      <div className="stack">
        {Rows.map((row) => (
          <section key={`${row.Name} ${row.DrugInfoId}`} className="panel">
            <h2>{nameOf(row)}</h2>
            <Facts
              of={[
                { key: 'qty', label: t('dosing.used'), value: amountText(row.Total.Qty, row.Unit) },
                { key: 'dose', label: t('dosing.dose'), value: amountText(row.Total.Dose, 'mg/L') },
                ...(hasCost
                  ? [
                      { key: 'cost', label: t('dosing.cost'), value: costText(row.Total.Cost, Currency, language()) },
                      { key: 'per', label: t('dosing.per1000'), value: perM3(row) },
                    ]
                  : []),
              ]}
            />
            <p className="faint">
              <MadeText of={row.Total} />
            </p>
          </section>
        ))}
      </div>
    )
  return (
    <div className="dosing-table">
      <Table<Row>
        size="small"
        rowKey={(row) => `${row.Name} ${row.DrugInfoId}`}
        dataSource={[...Rows]}
        pagination={false}
        scroll={{ x: 560 + Columns.length * 84 }}
        columns={[
          { title: t('drugInfo.DrugName'), width: 200, fixed: 'start', ellipsis: true, render: (_, row) => nameOf(row) },
          { title: t('drugInfo.Unit'), width: 80, render: (_, row) => (show === 'cost' ? Currency : unitOf(row)) },
          {
            title: t('dosing.total'),
            width: 110,
            align: 'right',
            render: (_, row) => <strong className="figures">{text(row.Total)}</strong>,
          },
          {
            ...{ title: `${t('dosing.dose')}, mg/L`, width: 100, align: 'right' },
            render: (_, row) => <span className="figures">{amountText(row.Total.Dose)}</span>,
          },
          ...(hasCost
            ? [
                {
                  title: t('dosing.per1000'),
                  width: 120,
                  align: 'right' as const,
                  render: (_: unknown, row: Row) => <span className="figures">{perM3(row)}</span>,
                },
              ]
            : []),
          ...Columns.map((title, i) => ({
            ...{ title: title.length > 7 ? title.slice(5) : title, key: title, width: 84, align: 'right' as const },
            render: (_: unknown, row: Row) => <span className="figures">{text(row.Cells[i]!)}</span>,
          })),
        ]}
      />
    </div>
  )
}

/** Reports: chemicals by day or month, regions by month, with doses and costs; on screen and as a sheet. */
const Report = () => {
  const t = useWords()
  const dosing = useDosing()
  const { address, put, days, projectId } = dosing
  const mayExport = useMay(`${report}.export`)
  const seesCost = useMay('m10721.cost')
  const isRegion = address.get('table') === 'regions'
  const show = shows.find((one) => one === address.get('show') && (one !== 'cost' || seesCost)) ?? 'qty'
  const range = { DateFrom: days.from, DateTo: days.to, ...(projectId ? { ProjectId: projectId } : {}) }
  const columns = days.from.slice(0, 7) === days.to.slice(0, 7) || isRegion ? 'day' : 'month'
  const query = { ...range, Columns: columns } as const
  const data = useCall(dosingCalls.reportData, { query, of: sources, enabled: dosing.isReady && !isRegion })
  const regions = useCall(dosingCalls.reportRegion, { query: range, of: sources, enabled: dosing.isReady && isRegion })
  const sheet = useWrite([], () => {
    const { path } = isRegion ? dosingCalls.regionOutput : dosingCalls.dataOutput
    return download(`${path}${queryString(isRegion ? range : query)}`, `${t(`menu.${report}`)}.xlsx`)
  })
  return (
    <DosingPage
      code={report}
      dosing={dosing}
      tools={
        <>
          <Choose
            value={isRegion ? 'regions' : 'chemicals'}
            choose={(next) => put({ table: next === 'chemicals' ? undefined : next })}
            options={tables.map((value) => ({ value, label: t(`dosing.table.${value}`) }))}
            label={t('dosing.table')}
          />
          <Choose<Show>
            value={show}
            choose={(next) => put({ show: next === 'qty' ? undefined : next })}
            options={shows.filter((one) => one !== 'cost' || seesCost).map((value) => ({ value, label: t(`dosing.show.${value}`) }))}
            label={t('dosing.show')}
          />
          <span className="search-actions">
            {mayExport && (
              <Button icon={<DownloadOutlined />} loading={sheet.isPending} onClick={() => sheet.mutate(undefined)}>
                {t('dosing.sheet')}
              </Button>
            )}
          </span>
        </>
      }
    >
      <Answered of={isRegion ? regions : data}>
        {(matrix) =>
          matrix.Rows.length ? (
            <MatrixTable matrix={matrix} show={show} isRegion={isRegion} />
          ) : (
            <EmptyList text={t(isRegion ? 'dosing.noRegions' : 'empty.drugInfo')} />
          )
        }
      </Answered>
    </DosingPage>
  )
}
export default Report
