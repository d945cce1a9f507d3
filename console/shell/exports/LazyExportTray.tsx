import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { lazyScreen } from '../lazyScreen.tsx'
import { tray, useTrayOpen } from './tray.ts'

const ExportTray = lazyScreen(() => import('./ExportTray.tsx'), null)

/** Loads the tray when a list opens it, or for the link of a notice: `?exports`. */
export const LazyExportTray = () => {
  const open = useTrayOpen()
  const asked = useSearchParams()[0].has('exports')
  useEffect(() => {
    if (asked) tray.open()
  }, [asked])
  return open ? <ExportTray /> : null
}
