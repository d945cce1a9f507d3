import './cron.css'
import { Input, Select, Tabs } from 'antd'
import { useMemo } from 'react'
import { cronDefault, cronFault, cronPartNames, cronPresets } from '../../contract/cron.ts'
import { timeText } from '../words/formats.ts'
import { language, useWords } from '../words/words.ts'
import { withPart } from './choice.ts'
import { describeCron } from './describe.ts'
import { nextFires } from './next.ts'
import { PartTab } from './PartTab.tsx'
import { useCronZone } from './zone.ts'

export type CronProps = {
  value?: string | null
  onChange?: (value: string) => void
  id?: string
  disabled?: boolean
}

const Meaning = ({ expression, zone }: { expression: string; zone: string }) => {
  const t = useWords()
  const times = useMemo(() => nextFires(expression, zone, Date.now()), [expression, zone])
  const preset = Object.entries(cronPresets).find(([, text]) => text === expression)?.[0]
  return (
    <div className="cron-meaning" aria-live="polite">
      <p>{preset ? t(`cron.preset.${preset}`) : describeCron(expression, language())}</p>
      {times.length ? (
        <>
          <h4>{t('cron.next', { zone })}</h4>
          <ol className="figures">
            {times.map((time) => (
              <li key={time}>{timeText(time, zone)}</li>
            ))}
          </ol>
        </>
      ) : (
        <p>{t('cron.never')}</p>
      )}
    </div>
  )
}

/** Editor of a Quartz expression: as text, by presets and by part, with its meaning in words and the next five times. */
export const CronEditor = ({ value, onChange, id, disabled }: CronProps) => {
  const t = useWords()
  const zone = useCronZone()
  const expression = value ?? cronDefault
  const fault = cronFault(expression)
  const given = expression.trim().split(/\s+/)
  // A wrong part can be corrected in its tab; with the wrong number of parts, tabs show the default.
  const parts = given.length === 6 || given.length === 7 ? given : cronDefault.split(' ')
  return (
    <div className="cron">
      <div className="cron-head">
        <Input
          id={id}
          className="figures"
          aria-label={t('cron.expression')}
          aria-invalid={fault !== undefined}
          aria-describedby={fault && id ? `${id}-fault` : undefined}
          status={fault ? 'error' : ''}
          value={expression}
          disabled={disabled}
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          onChange={(e) => onChange?.(e.target.value)}
        />
        <Select
          aria-label={t('cron.presets')}
          placeholder={t('cron.presets')}
          disabled={disabled}
          value={Object.values<string>(cronPresets).includes(expression) ? expression : undefined}
          onChange={(text: string) => onChange?.(text)}
          options={Object.entries(cronPresets).map(([name, text]) => ({ value: text, label: t(`cron.preset.${name}`) }))}
          popupMatchSelectWidth={false}
        />
      </div>
      {fault ? (
        <p id={id ? `${id}-fault` : undefined} className="cron-fault" role="alert">
          {t(fault.key, fault.values)}
        </p>
      ) : (
        <Meaning expression={expression.trim()} zone={zone} />
      )}
      {!disabled && (
        <Tabs
          size="small"
          items={cronPartNames.map((part, index) => ({
            key: part,
            label: t(`cron.part.${part}`),
            children: (
              <PartTab
                part={part}
                text={parts[index]?.toUpperCase() ?? '*'}
                onChange={(text) => onChange?.(withPart(index === 6 && parts.length < 7 ? [...parts, '*'] : parts, index, text))}
              />
            ),
          }))}
        />
      )}
    </div>
  )
}
export default CronEditor
