import { Segmented, Select } from 'antd'
import { type RuleCondition, Selection } from '../../../contract/areas/alarm-configure.ts'
import { useLatest } from '../../live/points.ts'
import { language, useWords } from '../../words/words.ts'
import type { Points, RulePoint } from './usePoints.ts'

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

/** The points of a condition, or the name that a point has on every device of a project. */
export const PointPicker = ({ value, change, points, fault }: Props) => {
  const t = useWords()
  const selection = value.DeviceSelection
  const ids = value.AlarmParams.flatMap((p) => (p.ParaId ? [p.ParaId] : []))
  const shown = ids.flatMap((id) => points.known.get(id) ?? [])
  const label = (p: RulePoint) => `${p.DeviceName} · ${p.ParaName}${p.ParaUnitName ? ` (${p.ParaUnitName})` : ''}`
  const listed = [...new Map([...shown, ...points.found].map((p) => [p.ParaId, p])).values()]
  const named = [...new Map(listed.map((p) => [p.ParaName, p])).values()]
  const common = {
    showSearch: { filterOption: false as const, onSearch: points.search },
    loading: points.loading,
    style: { width: '100%' },
    'aria-label': t('rules.points'),
    ...(fault ? { status: 'error' as const } : {}),
  }
  const param = ({ ParaId, DeviceId, ParaName, ParaDataType }: RulePoint) => ({ ParaId, DeviceId, ParaName, ParaDataType })
  return (
    <div className="rule-points">
      <Segmented<'points' | 'project'>
        size="small"
        value={selection ? 'project' : 'points'}
        onChange={(to) => change({ DeviceSelection: to === 'project' ? { Type: Selection.project } : null, AlarmParams: [] })}
        options={(['points', 'project'] as const).map((v) => ({ value: v, label: t(`rules.scope.${v}`) }))}
        aria-label={t('rules.scope')}
      />
      {selection ? (
        <Select<string>
          {...common}
          value={value.AlarmParams[0]?.ParaName ?? undefined}
          placeholder={t('rules.choosePoint')}
          options={named.map((p) => ({ value: p.ParaName, label: p.ParaName }))}
          onChange={(name) => {
            const p = named.find((n) => n.ParaName === name)
            if (p)
              change({
                AlarmParams: [{ ParaName: p.ParaName, ParaDataType: p.ParaDataType }],
                DeviceSelection: { Type: Selection.project, ProjectId: p.ProjectId },
              })
          }}
        />
      ) : (
        <Select<number[]>
          {...common}
          mode="multiple"
          value={ids}
          placeholder={t('rules.choosePoint')}
          options={listed.map((p) => ({ value: p.ParaId, label: label(p) }))}
          onChange={(next) => change({ AlarmParams: next.flatMap((id) => (points.known.has(id) ? [param(points.known.get(id)!)] : [])) })}
        />
      )}
      {!selection && shown.slice(0, 3).map((p) => <Live key={p.ParaId} point={p} />)}
      {fault && (
        <span className="rule-fault" role="alert">
          {fault}
        </span>
      )}
    </div>
  )
}
