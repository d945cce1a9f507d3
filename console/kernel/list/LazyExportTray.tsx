import { useEffect, useState } from 'react'
import { lazyScreen } from '../../shell/lazyScreen.tsx'
import { useTrayOpen } from './tray.ts'

const ExportTray = lazyScreen(() => import('./ExportTray.tsx'), null)
/** Delay of the tray, ms: what the first screen needs loads first. */
const afterMs = 2000

/** Loads the tray of exports after the first screen, or when it opens. */
export const LazyExportTray = () => {
  const [due, setDue] = useState(false)
  const open = useTrayOpen()
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), afterMs)
    return () => clearTimeout(timer)
  }, [])
  return due || open ? <ExportTray /> : null
}
