import { Tooltip } from 'antd'
import { useNow } from '../live/clock.ts'
import { ageText, timeText, userZone } from './formats.ts'
import { language } from './words.ts'

/** How long ago; the moment itself, with its zone, on hover. */
export const Ago = ({ time }: { time: number }) => {
  const now = useNow()
  return (
    <Tooltip title={`${timeText(time)} (${userZone()})`}>
      <span className="figures">{ageText(now - time, language())}</span>
    </Tooltip>
  )
}
