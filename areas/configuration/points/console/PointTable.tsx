import { ApartmentOutlined, DeleteOutlined, EditOutlined, PlusOutlined, UndoOutlined } from '@ant-design/icons'
import { Alert, Button } from 'antd'
import { type ComponentProps, type ReactNode, useMemo, useState } from 'react'
import { type Shown, useCommand, useRows } from '../../../../console/kernel/api.ts'
import { EmptyList } from '../../../../console/kernel/Empty.tsx'
import { ListTools } from '../../../../console/kernel/list/ListTools.tsx'
import { filterFields } from '../../../../console/kernel/list/listState.ts'
import { RowTable } from '../../../../console/kernel/list/RowTable.tsx'
import { SearchBar } from '../../../../console/kernel/list/SearchBar.tsx'
import { useArrangement } from '../../../../console/kernel/list/useArrangement.ts'
import { useConfirmRemove } from '../../../../console/kernel/list/useConfirmRemove.ts'
import { useListRows } from '../../../../console/kernel/list/useListRows.ts'
import { ResourceForm } from '../../../../console/kernel/ResourceForm.tsx'
import type { Action } from '../../../../console/kernel/RowActions.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { lazyScreen } from '../../../../console/shell/lazyScreen.tsx'
import { useAddress } from '../../../../console/shell/useAddress.ts'
import { lower, useWords } from '../../../../console/words/words.ts'
import { mostPreselected } from '../../../../contract/point-rules.ts'
import type { Protocol } from '../../../../contract/protocols/protocol.ts'
import type { Resource } from '../../../../contract/resource.ts'
import { addressInputOf, useProtocol } from '../../channels/console/index.ts'
import { point, pointCalls } from '../contract.ts'
import { usualColumns } from './columns.ts'
import { EditableCell } from './EditableCell.tsx'
import { ExportDialog } from './ExportDialog.tsx'
import { LayoutStep } from './LayoutStep.tsx'
import { WithSheet } from './sheet/WithSheet.tsx'

const BrowseDialog = lazyScreen(() => import('./BrowseDialog.tsx'), null)

type Row = Shown<Resource>
const none: Protocol['unused'] = []
const nameOf = (row: Row) => String(row.ParaName)
type Props = {
  of: Resource
  /** The device or model that owns the rows. */
  fixed: Record<string, number>
  /** The default columns. */
  usual: readonly string[]
  importOption?: ComponentProps<typeof ListTools>['importOption']
  asksExport?: ComponentProps<typeof ListTools>['asksExport']
  layout?: ComponentProps<typeof ListTools>['layout']
  /** The protocol of the addresses. Columns without a meaning for it are hidden. */
  protocol?: Protocol | undefined
  /** More buttons beside the list's tools. */
  tools?: ReactNode
  /** More row actions, also for several selected rows. */
  more?:
    | { key: string; label: string; icon: ReactNode; when: (row: Row) => boolean; run: (rows: Row[], done?: () => void) => void }
    | undefined
}

/** A table of points of a device or a model: columns by section, edited in place, with sheet import and export. */
export const ColumnTable = ({ of: resource, fixed, usual: given, protocol, importOption, asksExport, layout, tools, more }: Props) => {
  const t = useWords()
  const unused = protocol?.unused ?? none
  const usual = useMemo(() => given.filter((name) => !unused.some((one) => one === name)), [given, unused])
  const filters = useMemo(
    () =>
      filterFields(resource, ['RegisterType', 'ReadWriteType']).filter((name) => !(name in fixed) && !unused.some((one) => one === name)),
    [resource, fixed, unused],
  )
  const arrangement = useArrangement(resource, { columns: usual, filters, fixed, prefix: '' })
  const { state, set } = arrangement
  const answer = useListRows(resource, arrangement)
  const confirmRemove = useConfirmRemove(resource, nameOf)
  const [editing, setEditing] = useState<Row | 'new'>()
  const [mayAdd, mayEdit, mayRemove] = [
    useMay(`${resource.permission}.add`),
    useMay(`${resource.permission}.edit`),
    useMay(`${resource.permission}.remove`),
  ]

  // Pictures show the points of devices, not those of models.
  const seesPictures = useMay('m10125') && resource === point

  const actionsOf = (row: Row): Action[] => [
    ...(mayEdit ? [{ key: 'edit', label: t('button.edit'), icon: <EditOutlined />, run: () => setEditing(row) }] : []),
    ...(more && mayEdit && more.when(row) ? [{ key: more.key, label: more.label, icon: more.icon, run: () => more.run([row]) }] : []),
    ...(seesPictures ? [{ key: 'pictures', label: t('point.pictures'), to: `/projectManagement/pictures?Point=${row.Id}` }] : []),
    ...(mayRemove
      ? [{ key: 'remove', label: t('button.remove'), icon: <DeleteOutlined />, danger: true, run: () => confirmRemove([row]) }]
      : []),
  ]
  const narrowed = state.search !== '' || Object.keys(state.filters).length > 0
  const add = mayAdd && { label: t('list.add', { thing: lower(t(resource.name)) }), run: () => setEditing('new') }

  return (
    <section aria-label={t(resource.name)}>
      <SearchBar of={resource} filters={arrangement.filters} state={state} set={set}>
        <ListTools
          of={resource}
          arrangement={arrangement}
          {...(importOption && { importOption })}
          asksExport={asksExport}
          layout={layout}
          brief={['RegisterType', 'Address', 'ParaDataType', 'ParaUnitName']}
          isEmpty={!narrowed && answer.data?.Items.length === 0}
        />
        {tools}
        {add && (
          <Button type="primary" icon={<PlusOutlined />} onClick={add.run}>
            {add.label}
          </Button>
        )}
      </SearchBar>
      <RowTable<Row>
        of={resource}
        arrangement={arrangement}
        answer={answer}
        cell={(row, name) => (
          <EditableCell
            of={resource}
            row={row}
            name={name}
            protocol={protocol?.number}
            may={mayEdit && !(name in fixed) && resource.fields[name]?.set !== 'never'}
          />
        )}
        titleOf={nameOf}
        empty={<EmptyList text={t(narrowed ? 'list.nothingFound' : `empty.${resource.name}`)} action={!narrowed && add} />}
        actions={actionsOf}
        bulk={[
          ...(more && mayEdit ? [{ key: more.key, label: more.label, icon: more.icon, run: more.run }] : []),
          ...(mayRemove ? [{ key: 'remove', label: t('button.remove'), icon: <DeleteOutlined />, danger: true, run: confirmRemove }] : []),
        ]}
        sections
        className="point-table"
      />
      {editing && (
        <ResourceForm
          of={resource}
          row={editing === 'new' ? undefined : editing}
          fixed={fixed}
          refine={() => ({ hidden: [...unused] })}
          inputs={protocol ? { Address: addressInputOf(protocol.number) } : {}}
          close={() => setEditing(undefined)}
        />
      )}
    </section>
  )
}

/** The points of a device. Overrides can be reset to the model. */
export const PointTable = ({ deviceId }: { deviceId: number }) => {
  const t = useWords()
  const fixed = useMemo(() => ({ DeviceId: deviceId }), [deviceId])
  const { mutate: reset } = useCommand(pointCalls.reset, [point.name])
  const preselected = useRows(point, { PageIndex: 1, PageSize: 1, DeviceId: deviceId, IsChartShow: 2 })
  const { mutateAsync } = useCommand(pointCalls.cells, [point.name], { meta: { quiet: true } })
  const on = useProtocol(deviceId)
  const mayBrowse = [useMay('m10106.browse'), useMay('m10104.add')].every(Boolean) && on?.protocol?.browses
  const [address, put] = useAddress()
  const [isOpen, browse] = useState(false)
  // The card of a channel opens it through the address.
  const isBrowsing = isOpen || (Boolean(mayBrowse) && address.has('browse'))
  const isMany = (preselected.data?.TotalCount ?? 0) > mostPreselected
  return (
    <>
      {isMany && (
        <Alert type="warning" showIcon className="form-summary" title={t('fault.field.preselectedMany', { max: mostPreselected })} />
      )}
      <WithSheet
        of={point}
        fixed={fixed}
        protocol={on?.protocol?.number}
        send={(Rows) => mutateAsync({ body: { DeviceId: deviceId, Rows } })}
      >
        {(button) => (
          <ColumnTable
            of={point}
            fixed={fixed}
            usual={usualColumns}
            protocol={on?.protocol}
            importOption={{ name: 'OffsetOne', label: t('import.offset') }}
            asksExport={ExportDialog}
            layout={LayoutStep}
            tools={
              <>
                {button}
                {mayBrowse && (
                  <Button icon={<ApartmentOutlined />} onClick={() => browse(true)}>
                    {t('browse.open')}
                  </Button>
                )}
              </>
            }
            more={{
              ...{ key: 'reset', label: t('point.reset'), icon: <UndoOutlined /> },
              when: (row) => Array.isArray(row.Overrides) && row.Overrides.length > 0,
              run: (rows, done) => reset({ body: { Ids: rows.map((row) => row.Id) } }, { onSuccess: () => done?.() }),
            }}
          />
        )}
      </WithSheet>
      {isBrowsing && on && (
        <BrowseDialog
          deviceId={deviceId}
          channel={on.channel}
          close={() => {
            browse(false)
            put({ browse: null })
          }}
        />
      )}
    </>
  )
}
