import { useNowAs } from '../live/clock.ts'
import { agoText, dayText, shortTimeText, userZone, wallToEpoch } from './formats.ts'
import { language } from './words.ts'

/** Tooltip and screen-reader text: the full time with its zone. */
const Whole = ({ time, text }: { time: string; text: string }) => (
  <time className="figures moment" dateTime={time.replace(' ', 'T')} title={`${time} (${userZone()})`}>
    {text}
    <span className="sr-only"> {time}</span>
  </time>
)

/** Age of a wall time in the reader's zone. It renders only when its text changes. */
export const Ago = ({ time }: { time: string }) => {
  const epoch = wallToEpoch(time)
  return <Whole time={time} text={useNowAs((now) => agoText(now - epoch, language()))} />
}

/** A wall time in the reader's zone: only the time for today, otherwise date and minutes. */
export const Moment = ({ time }: { time: string }) => <Whole time={time} text={shortTimeText(time, useNowAs(dayText))} />
