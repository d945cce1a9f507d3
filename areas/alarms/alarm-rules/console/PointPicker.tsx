import { Segmented, Select } from 'antd'
import { useState } from 'react'
import { useCall } from '../../../../console/kernel/api.ts'
import { RefsInput } from '../../../../console/kernel/form/RefsInput.tsx'
import { useLatest } from '../../../../console/live/points.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import { boolType, stateText } from '../../../../contract/point-value.ts'
import { device } from '../../../configuration/devices/contract.ts'
import { type RuleCondition, Selection } from '../alarm-configure.ts'
import { alarmRuleCalls } from '../contract.ts'
import { Fault } from './Field.tsx'
import { ModelPicker } from './ModelPicker.tsx'
import type { Points, RulePoint } from './usePoints.ts'

type DeviceSelection = NonNullable<RuleCondition['DeviceSelection']>
type Props = {
  value: RuleCondition
  change: (part: Partial<RuleCondition>) => void
  points: Points
  /** Project of an existing rule. */
  project: number | undefined
  fault: string | undefined
}

/** Current value of a point. */
const Live = ({ point }: { point: RulePoint }) => {
  const t = useWords()
  const value = useLatest(point.ParaId)?.Value ?? point.Value
  const number = (n: number) => `${n.toLocaleString(language(), { maximumFractionDigits: 3 })} ${point.ParaUnitName}`
  const read = (n: number) => (point.ParaDataType === boolType ? stateText(n, point, t) : number(n))
  return (
    <span className="rule-live">
      <span className="soft">
        {point.DeviceName} {point.ParaName}
      </span>{' '}
      <span className="figures">{t('rules.now', { value: value === null ? t('rules.noValue') : read(value) })}</span>
    </span>
  )
}

const param = ({ ParaId, DeviceId, ParaName, ParaDataType }: RulePoint) => ({ ParaId, DeviceId, ParaName, ParaDataType })
const byName = (points: readonly RulePoint[]) => [...new Map(points.map((p) => [p.ParaName, p])).values()]
type Scope = 'points' | 'devices' | 'model' | 'project'
const scopes: Record<Scope, DeviceSelection | null> = {
  points: null,
  devices: { Type: Selection.chosen, DeviceIds: [] },
  model: { Type: Selection.model },
  project: { Type: Selection.project },
}
const scopeOf = { 1: 'devices', 2: 'model', 3: 'project' } as const
/** Number of selected devices whose point names are queried. */
const mostAsked = 5

/** The points of a condition, or a point name on selected devices, on every device of a model or of a project. */
export const PointPicker = ({ value, change, points, project, fault }: Props) => {
  const t = useWords()
  const selection = value.DeviceSelection
  const scope: Scope = selection ? scopeOf[selection.Type] : 'points'
  const [search, setSearch] = useState('')
  const devices = selection?.DeviceIds ?? []
  const ofDevices = useCall(alarmRuleCalls.points, {
    query: { DeviceIds: devices.slice(0, mostAsked).join(',') },
    of: ['point', 'device'],
    enabled: devices.length > 0,
  })
  const { ModelId, ProjectId } = selection ?? {}
  const ofModel = useCall(alarmRuleCalls.search, {
    query: { Search: search, ...(ModelId ? { ModelId } : {}), ...(ProjectId ? { ProjectId } : {}) },
    of: ['point', 'device'],
    enabled: scope === 'model' && Boolean(ModelId),
  })
  const ids = value.AlarmParams.flatMap((p) => (p.ParaId ? [p.ParaId] : []))
  const shown = ids.flatMap((id) => points.known.get(id) ?? [])
  const label = (p: RulePoint) => `${p.DeviceName} · ${p.ParaName}${p.ParaUnitName ? ` (${p.ParaUnitName})` : ''}`
  const listed = [...new Map([...shown, ...points.found].map((p) => [p.ParaId, p])).values()]
  const asked = scope === 'devices' ? ofDevices : scope === 'model' ? ofModel : undefined
  const named = byName(asked ? (asked.data ?? []) : listed)
  const chosenName = value.AlarmParams[0]?.ParaName ?? undefined
  // A failed query must not look like an empty result.
  const failed = asked ? asked.error?.message : points.failed
  const common = {
    loading: asked ? asked.isFetching : points.loading,
    ...(failed ? { notFoundContent: failed } : {}),
    style: { width: '100%' },
    'aria-label': t('rules.points'),
    ...(fault ? { status: 'error' as const } : {}),
  }
  const isChosen = scope === 'project' || (scope === 'model' ? Boolean(ModelId) : devices.length > 0)
  const searched = { filterOption: false as const, onSearch: points.search }
  return (
    <div className="rule-points">
      <Segmented<Scope>
        size="small"
        value={scope}
        onChange={(to) => change({ DeviceSelection: scopes[to], AlarmParams: [] })}
        options={(['points', 'devices', 'model', 'project'] as const).map((v) => ({ value: v, label: t(`rules.scope.${v}`) }))}
        aria-label={t('rules.scope')}
      />
      {scope === 'devices' && (
        <RefsInput
          to={device as never}
          value={devices}
          placeholder={t('rules.chooseDevices')}
          aria-label={t('rules.devices')}
          onChange={(DeviceIds) => change({ DeviceSelection: { Type: Selection.chosen, DeviceIds } })}
        />
      )}
      {selection && scope === 'model' && (
        <ModelPicker value={selection} project={project} onChange={(next) => change({ DeviceSelection: next, AlarmParams: [] })} />
      )}
      {selection ? (
        <Select<string>
          {...common}
          showSearch={
            scope === 'project' ? searched : scope === 'model' ? { ...searched, onSearch: setSearch } : { optionFilterProp: 'label' }
          }
          value={chosenName}
          disabled={!isChosen}
          placeholder={t(scope === 'project' ? 'rules.choosePoint' : 'rules.chooseOfDevices')}
          options={named.map((p) => ({ value: p.ParaName, label: p.ParaName }))}
          onChange={(name) => {
            const p = named.find((n) => n.ParaName === name)
            if (p)
              change({
                AlarmParams: [{ ParaName: p.ParaName, ParaDataType: p.ParaDataType }],
                ...(scope === 'project' ? { DeviceSelection: { Type: Selection.project, ProjectId: p.ProjectId } } : {}),
              })
          }}
        />
      ) : (
        <Select<number[]>
          {...common}
          showSearch={searched}
          mode="multiple"
          value={ids}
          placeholder={t('rules.choosePoint')}
          options={listed.map((p) => ({ value: p.ParaId, label: label(p) }))}
          onChange={(next) => change({ AlarmParams: next.flatMap((id) => (points.known.has(id) ? [param(points.known.get(id)!)] : [])) })}
        />
      )}
      {!selection && shown.slice(0, 3).map((p) => <Live key={p.ParaId} point={p} />)}
      {fault && <Fault>{fault}</Fault>}
    </div>
  )
}
