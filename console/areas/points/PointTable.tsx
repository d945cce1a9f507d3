import { DeleteOutlined, EditOutlined, PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useMemo, useState } from 'react'
import { point } from '../../../contract/areas/points.ts'
import type { Resource } from '../../../contract/base/resource.ts'
import { ListTools } from '../../list/ListTools.tsx'
import { filterFields } from '../../list/listState.ts'
import { RowTable } from '../../list/RowTable.tsx'
import { SearchBar } from '../../list/SearchBar.tsx'
import { useArrangement } from '../../list/useArrangement.ts'
import { useConfirmRemove } from '../../list/useConfirmRemove.ts'
import { useListRows } from '../../list/useListRows.ts'
import type { Shown } from '../../resource/api.ts'
import { EmptyList } from '../../resource/Empty.tsx'
import { ResourceForm } from '../../resource/ResourceForm.tsx'
import type { Action } from '../../resource/RowActions.tsx'
import { useMay } from '../../session/session.ts'
import { lower, useWords } from '../../words/words.ts'
import { usualColumns } from './columns.ts'
import { EditableCell } from './EditableCell.tsx'

type Point = Shown<typeof point>
const nameOf = (row: Point) => row.ParaName
const resource = point as unknown as Resource
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
      <SearchBar of={resource} filters={filters} state={state} set={set}>
        <ListTools of={resource} arrangement={arrangement} importOption={{ name: 'OffsetOne', label: t('import.offset') }} />
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
