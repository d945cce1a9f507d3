import { FileLink } from '../../../../console/files/FilesInput.tsx'
import { Moment } from '../../../../console/words/moments.tsx'
import { useWords } from '../../../../console/words/words.ts'
import type { HistoryEntry } from '../contract.ts'
import './checklist.css'

/** Details of a queued step: the intended step, its arrival time and the clock offset of the phone. */
const Arrival = ({ of: { Meant, ReceivedTime, ClockOff } }: { of: HistoryEntry }) => {
  const t = useWords()
  return (
    <>
      {ReceivedTime && <> · {t('order.received', { time: ReceivedTime })}</>}
      {ClockOff !== null && <> · {t('order.clockOff', { minutes: Math.round(Math.abs(ClockOff) / 60) })}</>}
      {Meant && <div>{t('order.meant', { step: t(`order.step.${Meant}`) })}</div>}
    </>
  )
}

/** History of an order, newest first. */
export const Timeline = ({ of }: { of: readonly HistoryEntry[] }) => {
  const t = useWords()
  return (
    <section className="panel" aria-label={t('order.timeline')}>
      <h2>{t('order.timeline')}</h2>
      <ol className="checklist-timeline">
        {of.toReversed().map((e) => (
          <li key={e.Id}>
            <div>
              <strong>{t(`order.did.${e.Step}`)}</strong> {e.TargetName && t('order.to', { name: e.TargetName })}
            </div>
            <div className="soft">
              {e.UserName || t('order.system')} · <Moment time={e.Time} />
              <Arrival of={e} />
            </div>
            {e.Desc && <p>{e.Desc}</p>}
            {e.Files.map((file) => (
              <FileLink key={file.FilePath} file={file} />
            ))}
          </li>
        ))}
      </ol>
    </section>
  )
}
