import { Tooltip } from 'antd'
import { useConnection } from '../live/useHub.ts'
import { State } from '../theme/State.tsx'
import { useWords } from '../words/words.ts'

/** State of the live connection. Inconspicuous while it is up. */
export const LiveMark = () => {
  const t = useWords()
  const connection = useConnection()
  const word = t(`live.${connection}`)
  return (
    <Tooltip title={t(`live.${connection}.why`)}>
      <span className="live-mark" role="status" aria-label={word}>
        {connection === 'live' ? <span className="live-on">{word}</span> : <State is="offline">{word}</State>}
      </span>
    </Tooltip>
  )
}
