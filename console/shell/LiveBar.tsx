import { useEffect, useState } from 'react'
import { hub } from '../live/hub.ts'
import { useConnection } from '../live/useHub.ts'
import { timeText } from '../words/formats.ts'
import { useWords } from '../words/words.ts'

/** A reconnection within this time needs no bar, ms. */
const graceMs = 1000

/** A bar across the page with the time since which no live values arrive. */
export const LiveBar = () => {
  const t = useWords()
  const interrupted = useConnection() === 'interrupted'
  const [since, setSince] = useState<number>()
  useEffect(() => {
    if (!interrupted) return setSince(undefined)
    const wait = Math.max(0, graceMs - (Date.now() - hub.heard))
    const timer = setTimeout(() => setSince(hub.heard), wait)
    return () => clearTimeout(timer)
  }, [interrupted])
  if (since === undefined) return null
  return (
    <div className="live-bar" role="alert">
      {t('live.since', { time: timeText(since).slice(-8) })}
    </div>
  )
}
