import { useCall } from '../../../../console/kernel/api.ts'
import { type Condition, State } from '../../../../console/theme/State.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { Reason } from '../../../system/message-templates/console/Reason.tsx'
import { alarmCalls } from '../contract.ts'

const conditions: Condition[] = ['offline', 'normal', 'normal', 'alarm', 'offline', 'warning']

/** Messages of an alarm with step, channel and result, and actions. */
export const Timeline = ({ id }: { id: number }) => {
  const t = useWords()
  const { data } = useCall(alarmCalls.timeline, { query: { Id: id }, of: ['alarmInfo', 'almPushRecord'] })
  if (!data?.length) return null
  return (
    <section aria-label={t('alarm.timeline')}>
      <h3>{t('alarm.timeline')}</h3>
      <ol className="alarm-timeline">
        {data.map((e) => (
          <li key={`${e.Method} ${e.Id}`}>
            <span className="figures soft">{e.Time}</span>{' '}
            <span>
              {e.Kind === 'step' ? t('alarm.step', { step: e.Step }) : t(`almPushRecord.Kind.${e.Kind}`)} ·{' '}
              {e.Method === 'write' ? t('alarm.write') : t(`almPushRecord.Method.${e.Method}`)} ·{' '}
              {[...new Set([e.UserName, e.Target])].filter((name) => name && name !== '-').join(' ')}
            </span>{' '}
            <State is={conditions[e.SendStatus]!}>
              {e.Method === 'write' && e.SendStatus === 1 ? t('alarm.done') : t(`almPushRecord.SendStatus.${e.SendStatus}`)}
            </State>
            {e.ErrorText && (
              <div className="soft">
                <Reason text={e.ErrorText} />
              </div>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
