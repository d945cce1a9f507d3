import { Checkbox, InputNumber } from 'antd'
import { useWords } from '../../../../console/words/words.ts'
import { Enable, type RuleConfigure } from '../alarm-configure.ts'
import { mayStep } from './draft.ts'
import { Fault, stateOf } from './Field.tsx'
import { Seconds } from './Seconds.tsx'

type Props = {
  value: RuleConfigure
  level: number
  onChange: (part: Partial<RuleConfigure>) => void
  fault: (name: string) => string | undefined
}

/** Behaviour of an active alarm: the value that makes it critical, and when it clears. */
export const CourseFields = ({ value, level, onChange, fault }: Props) => {
  const t = useWords()
  const [severe, held] = [fault('Severity.0.ParamValue') ?? fault('Severity'), fault('HoldOff')]
  return (
    <>
      {mayStep(value) && level < 3 && (
        <div className="rule-words">
          <span>{t('rules.severe')}</span>
          <InputNumber
            value={value.Severity?.[0]?.ParamValue ?? null}
            aria-label={t('rules.severe')}
            {...stateOf(severe)}
            onChange={(v) => onChange({ Severity: v === null ? null : [{ AlarmLevel: 3, ParamValue: v }] })}
          />
          {severe && <Fault>{severe}</Fault>}
        </div>
      )}
      {value.EnableType !== Enable.cron && (
        <div className="rule-words">
          <Checkbox checked={Boolean(value.HoldOff)} onChange={(e) => onChange({ HoldOff: e.target.checked ? 60 : null })}>
            {t('rules.holdOff')}
          </Checkbox>
          {value.HoldOff && <Seconds value={value.HoldOff} onChange={(HoldOff) => onChange({ HoldOff })} label={t('rules.holdOff')} />}
          {held && <Fault>{held}</Fault>}
        </div>
      )}
    </>
  )
}
