import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useSession } from '../../../../console/session/session.ts'
import { useWords } from '../../../../console/words/words.ts'

/** A page outside the console: its subject, and the link to sign in. */
export const PublicPage = ({ title, children }: { title: string; children: ReactNode }) => {
  const t = useWords()
  const { systemName, logo } = useSession()
  return (
    <div className="login">
      <main className="login-card">
        <div className="login-head">
          <img src={logo || '/penstock.svg'} alt="" width="40" height="40" />
          <h1>{title}</h1>
          <p>{systemName}</p>
        </div>
        {children}
        <p>
          <Link to="/login">{t('session.toLogin')}</Link>
        </p>
      </main>
    </div>
  )
}
