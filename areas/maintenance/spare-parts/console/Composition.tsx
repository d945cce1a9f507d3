import './parts.css'
import { PlusOutlined } from '@ant-design/icons'
import { Button, Form } from 'antd'
import { useState } from 'react'
import type { Shown } from '../../../../console/kernel/api.ts'
import { useRows } from '../../../../console/kernel/api.ts'
import { EmptyList } from '../../../../console/kernel/Empty.tsx'
import { useConfirmRemove } from '../../../../console/kernel/list/useConfirmRemove.ts'
import type { ToolProps } from '../../../../console/kernel/plainScreens.ts'
import { RefInput } from '../../../../console/kernel/RefInput.tsx'
import { ResourceForm } from '../../../../console/kernel/ResourceForm.tsx'
import { RowActions } from '../../../../console/kernel/RowActions.tsx'
import { useMayDo } from '../../../../console/session/session.ts'
import { SidePanel } from '../../../../console/shell/SidePanel.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { proModel } from '../../../configuration/models/contract.ts'
import { mtnComponent, mtnComponentCompo } from '../contract.ts'
import { quantityText } from './StockBar.tsx'

type Compo = Shown<typeof mtnComponentCompo>
type Editing = { row?: Compo; above?: number | null }

/** The parts of a model's devices, as a tree. */
const Composition = ({ tenant, close }: ToolProps) => {
  const t = useWords()
  const may = useMayDo()
  const [model, setModel] = useState<number | null>(null)
  const [editing, edit] = useState<Editing>()
  const { data } = useRows(
    mtnComponentCompo,
    { PageIndex: 1, PageSize: 1000, DeviceModelId: model ?? undefined },
    { enabled: model !== null },
  )
  const remove = useConfirmRemove<Compo>(mtnComponentCompo, (row) => String(row.ComponentName))
  const rows = model === null ? [] : (data?.Items ?? [])
  const below = Map.groupBy(rows, (row) => row.ParentComponentId)

  const actionsOf = (row: Compo) => [
    ...(may(mtnComponent, 'add')
      ? [
          {
            key: 'add',
            label: t('part.compo.addBelow', { name: String(row.ComponentName) }),
            icon: <PlusOutlined />,
            run: () => edit({ above: row.ComponentId }),
          },
        ]
      : []),
    ...(may(mtnComponent, 'edit') ? [{ key: 'edit', label: t('button.edit'), run: () => edit({ row }) }] : []),
    ...(may(mtnComponent, 'remove') ? [{ key: 'remove', label: t('button.remove'), danger: true, run: () => remove([row]) }] : []),
  ]
  const branch = (above: number | null) => {
    const here = below.get(above) ?? []
    return (
      here.length > 0 && (
        <ul className={above === null ? 'compo' : undefined}>
          {here.map((row) => (
            <li key={row.Id}>
              <div className="compo-line">
                <span>{String(row.ComponentName)}</span>
                <span className="figures">× {quantityText(row.Qty)}</span>
                <RowActions actions={actionsOf(row)} title={String(row.ComponentName)} />
              </div>
              {branch(row.ComponentId)}
            </li>
          ))}
        </ul>
      )
    )
  }
  return (
    <SidePanel
      width={640}
      title={t('part.compo')}
      onClose={close}
      extra={
        model !== null &&
        may(mtnComponent, 'add') && (
          <Button type="primary" icon={<PlusOutlined />} onClick={() => edit({ above: null })}>
            {t('part.compo.add')}
          </Button>
        )
      }
    >
      <Form layout="vertical">
        <Form.Item label={t('mtnComponentCompo.DeviceModelId')} htmlFor="compo-model">
          <RefInput id="compo-model" to={proModel} where={{ EnterpriseId: tenant }} value={model} onChange={setModel} />
        </Form.Item>
      </Form>
      {model === null && <EmptyList text={t('part.compo.model')} />}
      {model !== null && data && !rows.length && <EmptyList text={t('empty.mtnComponentCompo')} />}
      {branch(null)}
      {editing && (
        <ResourceForm
          of={mtnComponentCompo}
          row={editing.row}
          fixed={editing.row ? {} : { DeviceModelId: model!, ...(editing.above ? { ParentComponentId: editing.above } : {}) }}
          close={() => edit(undefined)}
        />
      )}
    </SidePanel>
  )
}
export default Composition
