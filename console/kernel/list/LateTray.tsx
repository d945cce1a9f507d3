import { useEffect, useState } from 'react'
import { later } from '../../shell/later.tsx'
import { useTrayOpen } from './tray.ts'

const ExportTray = later(() => import('./ExportTray.tsx'), null)
/** What a visit begins with comes first, ms. */
const afterMs = 2000

/** The tray of exports, once the screen stands or somebody asks for it. */
export const LateTray = () => {
  const [due, setDue] = useState(false)
  const open = useTrayOpen()
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), afterMs)
    return () => clearTimeout(timer)
  }, [])
  return due || open ? <ExportTray /> : null
}
