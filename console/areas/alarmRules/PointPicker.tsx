import { Segmented, Select } from 'antd'
import { type RuleCondition, Selection } from '../../../contract/areas/alarm-configure.ts'
import { alarmRuleCalls } from '../../../contract/areas/alarm-rules.ts'
import { device } from '../../../contract/areas/devices.ts'
import { RefsInput } from '../../form/RefsInput.tsx'
import { useLatest } from '../../live/points.ts'
import { useCall } from '../../resource/api.ts'
import { language, useWords } from '../../words/words.ts'
import { Fault } from './Field.tsx'
import type { Points, RulePoint } from './usePoints.ts'

type DeviceSelection = NonNullable<RuleCondition['DeviceSelection']>
type Props = { value: RuleCondition; change: (part: Partial<RuleCondition>) => void; points: Points; fault: string | undefined }

/** What a point reads at this moment. */
const Live = ({ point }: { point: RulePoint }) => {
  const t = useWords()
  const value = useLatest(point.ParaId)?.Value ?? point.Value
  const text =
    value === null ? t('rules.noValue') : `${value.toLocaleString(language(), { maximumFractionDigits: 3 })} ${point.ParaUnitName}`
  return (
    <span className="rule-live">
      <span className="soft">
        {point.DeviceName} {point.ParaName}
      </span>{' '}
      <span className="figures">{t('rules.now', { value: text })}</span>
    </span>
  )
}

const param = ({ ParaId, DeviceId, ParaName, ParaDataType }: RulePoint) => ({ ParaId, DeviceId, ParaName, ParaDataType })
const byName = (points: readonly RulePoint[]) => [...new Map(points.map((p) => [p.ParaName, p])).values()]
type Scope = 'points' | 'devices' | 'project'
const scopes: Record<Scope, DeviceSelection | null> = {
  points: null,
  devices: { Type: Selection.chosen, DeviceIds: [] },
  project: { Type: Selection.project },
}
/** So many of the chosen devices are asked for the names of their points. */
const asked = 5

/** The points of a condition, or the name that a point has on chosen devices or on every device of a project. */
export const PointPicker = ({ value, change, points, fault }: Props) => {
  const t = useWords()
  const selection = value.DeviceSelection
  const scope: Scope = selection ? (selection.Type === Selection.project ? 'project' : 'devices') : 'points'
  const devices = selection?.DeviceIds ?? []
  const ofDevices = useCall(alarmRuleCalls.points, {
    query: { DeviceIds: devices.slice(0, asked).join(',') },
    of: ['point', 'device'],
    enabled: devices.length > 0,
  })
  const ids = value.AlarmParams.flatMap((p) => (p.ParaId ? [p.ParaId] : []))
  const shown = ids.flatMap((id) => points.known.get(id) ?? [])
  const label = (p: RulePoint) => `${p.DeviceName} · ${p.ParaName}${p.ParaUnitName ? ` (${p.ParaUnitName})` : ''}`
  const listed = [...new Map([...shown, ...points.found].map((p) => [p.ParaId, p])).values()]
  const named = byName(scope === 'devices' ? (ofDevices.data ?? []) : listed)
  const chosenName = value.AlarmParams[0]?.ParaName ?? undefined
  // A look that failed is not one that found nothing.
  const failed = scope === 'devices' ? ofDevices.error?.message : points.failed
  const common = {
    loading: points.loading || ofDevices.isFetching,
    ...(failed ? { notFoundContent: failed } : {}),
    style: { width: '100%' },
    'aria-label': t('rules.points'),
    ...(fault ? { status: 'error' as const } : {}),
  }
  const searched = { filterOption: false as const, onSearch: points.search }
  return (
    <div className="rule-points">
      <Segmented<Scope>
        size="small"
        value={scope}
        onChange={(to) => change({ DeviceSelection: scopes[to], AlarmParams: [] })}
        options={(['points', 'devices', 'project'] as const).map((v) => ({ value: v, label: t(`rules.scope.${v}`) }))}
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
      {selection ? (
        <Select<string>
          {...common}
          showSearch={scope === 'project' ? searched : { optionFilterProp: 'label' }}
          value={chosenName}
          disabled={scope === 'devices' && !devices.length}
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
