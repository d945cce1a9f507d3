import { version } from '../../contract/version.ts'
import { useSession } from '../session/session.ts'
import { yearRange } from './sizes.ts'

export const Footer = () => {
  const systemName = useSession((s) => s.systemName)
  return (
    <footer className="foot">
      © {yearRange(new Date())} {systemName} · {version}
    </footer>
  )
}
