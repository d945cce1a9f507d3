import { InputNumber, Select } from 'antd'
import { useState } from 'react'
import { useCall } from '../../../../console/kernel/api.ts'
import { useMay } from '../../../../console/session/session.ts'
import { useWords } from '../../../../console/words/words.ts'
import { boolType, stateText } from '../../../../contract/point-value.ts'
import { alarmRuleCalls } from '../contract.ts'
import type { Effects } from './ActionFields.tsx'
import { Fault } from './Field.tsx'
import { offeredAtOnce, type Points } from './usePoints.ts'

type Write = Effects['DeviceControl'][number]
type Props = {
  value: Write
  onChange: (part: Partial<Write>) => void
  points: Points
  /** Project of the rule; only its points can be written. */
  project: number | undefined
}

/** A point to write, from the writable points of the rule's project. */
export const WriteFields = ({ value, onChange, points, project }: Props) => {
  const t = useWords()
  const mayWrite = useMay('m10104.write')
  const [Search, setSearch] = useState('')
  const writable = useCall(alarmRuleCalls.search, {
    query: { Search, Writable: 1, ...(project ? { ProjectId: project } : {}) },
    of: ['point', 'device'],
    enabled: project !== undefined,
  })
  const offered = project ? (writable.data ?? []) : []
  const point = points.known.get(value.ParaId) ?? offered.find((p) => p.ParaId === value.ParaId)
  const wrong =
    point && (!point.Writable ? 'rules.notWritable' : project && point.ProjectId !== project ? 'rules.ofOtherProject' : undefined)
  const listed = [...new Map([...(point ? [point] : []), ...offered].map((p) => [p.ParaId, p])).values()]
  // A failed query must not look like an empty result.
  const failed = writable.error?.message
  const nothing = failed ?? t(!project ? 'rules.writeNoProject' : Search ? 'rules.writeNotFound' : 'rules.writeNone')
  return (
    <>
      <span>{t('rules.writes')}</span>
      <Select<number>
        showSearch={{ filterOption: false, onSearch: setSearch }}
        value={value.ParaId || undefined}
        disabled={!mayWrite}
        loading={writable.isFetching}
        aria-label={t('rules.writes')}
        placeholder={t('rules.chooseWritable')}
        notFoundContent={writable.isFetching ? t('loading') : nothing}
        options={listed.map((p) => ({ value: p.ParaId, label: `${p.DeviceName} · ${p.ParaName}` }))}
        onChange={(ParaId) => onChange({ ParaId })}
        popupRender={(list) => (
          <>
            {list}
            {offered.length === offeredAtOnce && <p className="soft rule-more">{t('rules.moreByTyping', { count: offeredAtOnce })}</p>}
          </>
        )}
        {...(wrong ? { status: 'error' as const } : {})}
        style={{ minWidth: 220 }}
      />
      <span>=</span>
      {point?.ParaDataType === boolType ? (
        <Select
          value={value.Value ? 1 : 0}
          disabled={!mayWrite}
          aria-label={t('rules.value')}
          onChange={(Value) => onChange({ Value })}
          options={[0, 1].map((v) => ({ value: v, label: stateText(v, point, t) }))}
        />
      ) : (
        <InputNumber
          value={value.Value}
          disabled={!mayWrite}
          aria-label={t('rules.value')}
          onChange={(Value) => onChange({ Value: Value ?? 0 })}
        />
      )}
      <span>{t('rules.afterSeconds')}</span>
      <InputNumber
        value={value.DelayS ?? 0}
        min={0}
        max={86_400}
        precision={0}
        disabled={!mayWrite}
        aria-label={t('rules.afterSeconds')}
        onChange={(DelayS) => onChange({ DelayS: DelayS ?? 0 })}
      />
      {wrong ? (
        <Fault>{t(wrong)}</Fault>
      ) : (
        !value.ParaId &&
        !writable.isFetching &&
        !offered.length &&
        (failed ? <Fault>{failed}</Fault> : !Search && <span className="soft">{nothing}</span>)
      )}
    </>
  )
}
