import './offline.css'
import { CheckCircleFilled, ClockCircleOutlined, CloseCircleFilled } from '@ant-design/icons'
import { Alert, Button } from 'antd'
import { useEffect, useState } from 'react'
import { timeText } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import type { Entry } from './forms.ts'
import { type Lack, roomLeft, startOffline } from './install.ts'
import { readQueue, removeEntry, sendNow, useQueue } from './queue.ts'

const icons = { waiting: ClockCircleOutlined, sent: CheckCircleFilled, refused: CloseCircleFilled } as const
/** Sent, waiting or refused: distinguished by shape, frame and text. */
export const Mark = ({ is }: { is: Entry['state'] }) => {
  const t = useWords()
  const Icon = icons[is]
  return (
    <span className={`queue-mark queue-${is}`}>
      <Icon aria-hidden /> {t(`offline.mark.${is}`)}
    </span>
  )
}

/** Warns before a step if less storage is free, bytes. */
const littleRoom = 20 * 1024 * 1024

const Step = ({ of: entry }: { of: Entry }) => {
  const t = useWords()
  const name = `${t(entry.step)}: ${entry.title}`
  return (
    <li>
      <Mark is={entry.state} />
      <div>
        {name} <span className="soft">{timeText(entry.takenAt)}</span>
        {entry.state === 'sent' && entry.applied === 0 && <p>{t('offline.asComment')}</p>}
        {entry.reason && <p className="state-alarm">{entry.reason}</p>}
      </div>
      {entry.state === 'refused' && (
        <Button aria-label={t('offline.removeStep', { name })} onClick={() => void removeEntry(entry)}>
          {t('offline.remove')}
        </Button>
      )}
    </li>
  )
}

/** Number of unsent steps on this phone, and the time of the last contact. */
export const QueueBar = ({ keptAt }: { keptAt: number | null }) => {
  const t = useWords()
  const entries = useQueue()
  const [lack, setLack] = useState<Lack>()
  const [isFull, setFull] = useState(false)
  useEffect(() => {
    void readQueue().catch(() => undefined)
    void startOffline().then(setLack)
    void roomLeft().then((room) => setFull(room !== undefined && room < littleRoom))
  }, [])
  const waiting = entries.filter(({ state }) => state === 'waiting').length
  return (
    <>
      {keptAt !== null && <Alert type="warning" showIcon title={t('offline.none', { time: timeText(keptAt) })} />}
      {isFull && <Alert type="warning" showIcon title={t('offline.full')} />}
      {entries.length > 0 && (
        <details className="queue-bar" open={waiting > 0 || entries.some(({ state }) => state === 'refused')}>
          <summary>{waiting ? t('offline.waiting', { count: waiting }) : t('offline.steps')}</summary>
          <ul>
            {entries.toReversed().map((entry) => (
              <Step key={entry.seq} of={entry} />
            ))}
          </ul>
          {waiting > 0 && <Button onClick={() => void sendNow()}>{t('offline.sendNow')}</Button>}
        </details>
      )}
      {lack && <p className="soft">{t(`offline.${lack}`)}</p>}
    </>
  )
}
