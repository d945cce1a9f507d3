import { useSession } from '../session/session.ts'
import { appVersion, yearRange } from './sizes.ts'

export const Footer = () => {
  const systemName = useSession((s) => s.systemName)
  return (
    <footer className="foot">
      © {yearRange(new Date())} {systemName} · {appVersion}
    </footer>
  )
}
