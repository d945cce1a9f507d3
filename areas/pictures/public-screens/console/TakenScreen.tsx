import './shared.css'
import { useNow } from '../../../../console/live/clock.ts'
import { Shape } from '../../../../console/theme/State.tsx'
import { ageText, timeText } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import type { TakingAlarms } from '../contract.ts'

/** High alarms in place of the playlist: their devices and times. Their texts need an account. */
export const TakenScreen = ({ of: { Alarms, More } }: { of: TakingAlarms }) => {
  const t = useWords()
  const now = useNow()
  return (
    <section className="taken" role="alert" aria-label={t('tv.alarms')}>
      <h2 className="state-alarm">
        <Shape is="alarm" /> {t('tv.alarms')}
      </h2>
      <ul>
        {Alarms.map(({ Name, ProjectName, Since }) => (
          <li key={`${Name} ${ProjectName} ${Since}`}>
            <strong>{Name ?? ProjectName ?? t('tv.unnamed')}</strong>
            {Name && ProjectName && <span className="soft">{ProjectName}</span>}
            <span className="figures">
              {t('tv.since', { time: timeText(Since).slice(0, 16), age: ageText(Math.max(0, now - Since), language()) })}
            </span>
          </li>
        ))}
      </ul>
      {More > 0 && <p>{t('tv.more', { count: More })}</p>}
      <p className="soft">{t('tv.back')}</p>
    </section>
  )
}
