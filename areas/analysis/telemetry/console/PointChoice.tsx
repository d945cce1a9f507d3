import { ApartmentOutlined } from '@ant-design/icons'
import { Button, Checkbox, Drawer, type RefSelectProps, Select, Spin } from 'antd'
import { type ReactElement, useDeferredValue, useRef, useState } from 'react'
import { fullName } from '../../../../console/chart/names.ts'
import { useCall } from '../../../../console/kernel/api.ts'
import { useMay } from '../../../../console/session/session.ts'
import { usePhone } from '../../../../console/theme/useWidth.ts'
import { useWords } from '../../../../console/words/words.ts'
import type { ParaInfo } from '../../../../contract/telemetry.ts'
import { type Chosen, PlantTree } from '../../../configuration/points/console/PlantTree.tsx'
import { reportGroupCalls } from '../../report-groups/contract.ts'
import { analysisCalls } from '../contract.ts'
import { draggable, usePointDrop } from './draggedPoints.ts'
import './pointChoice.css'

/** What choosers of a screen offer. */
export type Narrowed = { Computed?: 1; Reports?: 1; ProjectId?: number }
type Props = {
  points: readonly ParaInfo[]
  choose: (ids: number[]) => void
  most: number
  narrowed?: Narrowed
  /** Which of what the server finds can be chosen. */
  fits?: (p: ParaInfo) => boolean
  clear?: () => void
}
const everything: Narrowed = {}
const all = () => true

const labelOf = (p: ParaInfo) => (p.ParaUnitName ? `${p.ParaName} (${p.ParaUnitName})` : p.ParaName)

/** The points of a device, to be ticked. */
const PointsOf = ({ deviceId, points, choose, most, narrowed, fits = all }: Props & { deviceId: number }) => {
  const t = useWords()
  const { data } = useCall(analysisCalls.findPoints, { query: { DeviceId: deviceId, ...narrowed }, of: ['point'] })
  const ids = points.map((p) => p.ParaId)
  if (!data) return <Spin />
  return (
    <div className="explore-ticks">
      {data.Items.filter(fits).map((p) => (
        <span key={p.ParaId} {...draggable(p)}>
          <Checkbox
            checked={ids.includes(p.ParaId)}
            disabled={!ids.includes(p.ParaId) && ids.length >= most}
            onChange={({ target }) => choose(target.checked ? [...ids, p.ParaId] : ids.filter((id) => id !== p.ParaId))}
          >
            {labelOf(p)}
          </Checkbox>
        </span>
      ))}
      {data.Items.length === 0 && <p className="soft">{t('explore.noPoints')}</p>}
      {data.More === 1 && <p className="soft">{t('explore.more')}</p>}
    </div>
  )
}

/** Groups as choices beside points: their values are negative. */
const useGroupChoices = (open: boolean, text: string, fits: (p: ParaInfo) => boolean) => {
  const t = useWords()
  const mayChart = useMay('m10301')
  const { data } = useCall(reportGroupCalls.trends, { query: {}, of: ['reportGroup', 'point', 'device'], enabled: open && mayChart })
  const wanted = text.toLocaleLowerCase()
  const groups = (data ?? [])
    .map((group) => ({ ...group, Points: group.Points.filter(fits) }))
    .filter(({ GroupName, Points }) => Points.length && GroupName.toLocaleLowerCase().includes(wanted))
  const options = groups.map(({ Id, GroupName, Points }) => {
    const label = `${GroupName} (${Points.length})`
    return { value: -Id, label, full: label }
  })
  const idsOf = (value: number) => groups.find(({ Id }) => Id === -value)?.Points.map((p) => p.ParaId) ?? []
  return { choices: options.length ? [{ label: t('menu.m10308'), options }] : [], idsOf }
}

/** Which points are shown: found by typing, by group, or in the tree of the plant. The server searches. */
export const PointChoice = ({ points, choose, most, narrowed = everything, fits = all, clear }: Props) => {
  const t = useWords()
  const phone = usePhone()
  const select = useRef<RefSelectProps>(null)
  const bar = useRef<HTMLDivElement>(null)
  const [typed, type] = useState('')
  const [open, setOpen] = useState(false)
  const [isTree, showTree] = useState(false)
  const [at, go] = useState<Chosen>()
  const text = useDeferredValue(typed.trim())
  const { data, isFetching } = useCall(analysisCalls.findPoints, {
    query: text ? { Search: text, ...narrowed } : narrowed,
    of: ['point', 'formulaPoint'],
    enabled: open,
  })
  const found = (data?.Items ?? []).filter(fits)
  const { choices, idsOf } = useGroupChoices(open, text, fits)
  // While a search is typed, list its results only: Enter then adds the first result and never removes a chosen point.
  const offered = text ? found : [...points, ...found.filter((p) => !points.some((one) => one.ParaId === p.ParaId))]
  const options = [...Map.groupBy(offered, (p) => p.DeviceName)].map(([label, of]) => ({
    label,
    options: of.map((p) => ({ value: p.ParaId, label: labelOf(p), full: fullName(p) })),
  }))
  const ids = points.map((p) => p.ParaId)
  const addable = text ? found.filter((p) => !ids.includes(p.ParaId)) : []
  const add = (more: readonly number[]) => {
    choose([...new Set([...ids, ...more])].slice(0, most))
    type('')
  }
  // A form lies at the right.
  const isInForm = isTree && bar.current?.closest('[role=dialog]') != null
  usePointDrop(bar, isTree, (id) => add([id]))
  const withAll = (menu: ReactElement) => (
    <>
      {menu}
      {addable.length > 1 && ids.length < most && (
        <Button block type="link" onMouseDown={(event) => event.preventDefault()} onClick={() => add(addable.map((p) => p.ParaId))}>
          {t('explore.addAll', { count: Math.min(addable.length, most - ids.length) })}
        </Button>
      )}
    </>
  )
  const names = new Map(points.map((p) => [p.ParaId, fullName(p)]))
  return (
    <div className="search-bar" ref={bar}>
      <Select
        ref={select}
        mode="multiple"
        className="trend-points"
        open={open}
        maxCount={most}
        maxTagCount="responsive"
        loading={open && isFetching}
        value={ids}
        options={[...options, ...choices]}
        popupRender={withAll}
        labelRender={({ value, label }) => names.get(Number(value)) ?? label}
        onChange={(next) => {
          const group = next.find((value) => value < 0)
          if (group !== undefined) return add(idsOf(group))
          choose(next)
          type('')
        }}
        onOpenChange={setOpen}
        placeholder={t('explore.choose', { most })}
        aria-label={t('explore.choose', { most })}
        notFoundContent={isFetching ? <Spin size="small" /> : undefined}
        showSearch={{ filterOption: false, onSearch: type }}
      />
      <Button icon={<ApartmentOutlined />} onClick={() => showTree(true)}>
        {t('explore.tree')}
      </Button>
      {clear && (
        <Button
          disabled={!points.length}
          onClick={() => {
            clear()
            setOpen(true)
            select.current?.focus()
          }}
        >
          {t('trend.clear')}
        </Button>
      )}
      <Drawer
        open={isTree}
        onClose={() => showTree(false)}
        // What lies beside it takes points that are dragged there.
        mask={phone}
        placement={phone ? 'bottom' : isInForm ? 'left' : 'right'}
        size={phone ? '92%' : 680}
        title={`${t('explore.tree')} (${points.length}/${most})`}
      >
        <div className="explore-tree">
          {!phone && <p className="soft explore-drag">{t('explore.drag')}</p>}
          <PlantTree chosen={at} choose={go} />
          {at?.kind === 'DeviceId' ? (
            <PointsOf deviceId={at.id} points={points} choose={choose} most={most} narrowed={narrowed} fits={fits} />
          ) : (
            <p className="soft">{t('explore.chooseDevice')}</p>
          )}
        </div>
      </Drawer>
    </div>
  )
}
