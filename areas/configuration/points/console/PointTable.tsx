import { DeleteOutlined, EditOutlined, PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useMemo, useState } from 'react'
import type { Shown } from '../../../../console/kernel/api.ts'
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
import { lower, useWords } from '../../../../console/words/words.ts'
import { point } from '../contract.ts'
import { usualColumns } from './columns.ts'
import { EditableCell } from './EditableCell.tsx'

type Point = Shown<typeof point>
const nameOf = (row: Point) => row.ParaName
const resource = point
const filters = filterFields(resource, ['RegisterType', 'ReadWriteType']).filter((name) => name !== 'DeviceId')

/** The point table of a device: 27 columns by section, edited in place, imported from and exported to a sheet. */
export const PointTable = ({ deviceId }: { deviceId: number }) => {
  const t = useWords()
  const fixed = useMemo(() => ({ DeviceId: deviceId }), [deviceId])
  const arrangement = useArrangement(resource, { columns: usualColumns, filters, fixed, prefix: '' })
  const { state, set } = arrangement
  const answer = useListRows(point, arrangement)
  const confirmRemove = useConfirmRemove(resource, nameOf)
  const [editing, setEditing] = useState<Point | 'new'>()
  const [mayAdd, mayEdit, mayRemove] = [useMay('m10104.add'), useMay('m10104.edit'), useMay('m10104.remove')]

  const actionsOf = (row: Point): Action[] => [
    ...(mayEdit ? [{ key: 'edit', label: t('button.edit'), icon: <EditOutlined />, run: () => setEditing(row) }] : []),
    ...(mayRemove
      ? [{ key: 'remove', label: t('button.remove'), icon: <DeleteOutlined />, danger: true, run: () => confirmRemove([row]) }]
      : []),
  ]
  const narrowed = state.search !== '' || Object.keys(state.filters).length > 0
  const add = mayAdd && { label: t('list.add', { thing: lower(t('point')) }), run: () => setEditing('new') }

  return (
    <section aria-label={t('point')}>
      <SearchBar of={resource} filters={arrangement.filters} state={state} set={set}>
        <ListTools
          of={resource}
          arrangement={arrangement}
          importOption={{ name: 'OffsetOne', label: t('import.offset') }}
          brief={['RegisterType', 'Address', 'ParaDataType', 'ParaUnitName']}
          isEmpty={!narrowed && answer.data?.Items.length === 0}
        />
        {add && (
          <Button type="primary" icon={<PlusOutlined />} onClick={add.run}>
            {add.label}
          </Button>
        )}
      </SearchBar>
      <RowTable<Point>
        of={resource}
        arrangement={arrangement}
        answer={answer}
        cell={(row, name) => <EditableCell row={row} name={name} may={mayEdit && name !== 'DeviceId'} />}
        titleOf={nameOf}
        empty={<EmptyList text={t(narrowed ? 'list.nothingFound' : 'empty.point')} action={!narrowed && add} />}
        actions={actionsOf}
        bulk={mayRemove ? [{ key: 'remove', label: t('button.remove'), icon: <DeleteOutlined />, danger: true, run: confirmRemove }] : []}
        sections
        className="point-table"
      />
      {editing && (
        <ResourceForm of={point} row={editing === 'new' ? undefined : editing} fixed={fixed} close={() => setEditing(undefined)} />
      )}
    </section>
  )
}
