import { useEffect, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { login, loginConfirm, loginPath, returnFromWechat } from '../../../../console/session/session.ts'
import { useWords } from '../../../../console/words/words.ts'
import { Elsewhere } from './Login.tsx'
import { PublicPage } from './PublicPage.tsx'

/** Return address of a WeChat or OpenID sign-in (ruling 34b): passes the code to the sign-in call. */
const AuthRedirect = () => {
  const t = useWords()
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const [fault, setFault] = useState('')
  const [elsewhere, setElsewhere] = useState(false)
  const [busy, setBusy] = useState(false)
  const code = params.get('code')
  const UnionId = params.get('unionid')
  const State = params.get('state')
  const given = { ...(code ? { Code: code } : {}), ...(UnionId ? { UnionId } : {}), ...(State ? { State } : {}) }
  const enter = async (call: typeof login) => {
    // An answer that this tab did not request may belong to another person.
    const target = State ? returnFromWechat(State) : '/'
    if (target === undefined) return setFault(t('authRedirect.noCode'))
    setBusy(true)
    try {
      if (await call(given)) return navigate(target, { replace: true })
      setElsewhere(true)
    } catch (error) {
      setElsewhere(false)
      setFault((error as Error).message)
    }
    setBusy(false)
  }
  // A code is valid once, so it is sent once.
  const sent = useRef(false)
  useEffect(() => {
    if ((!code && !UnionId) || sent.current) return
    sent.current = true
    void enter(login)
  })
  return (
    <PublicPage title={t('authRedirect.title')}>
      {elsewhere ? (
        <Elsewhere busy={busy} stay={() => navigate(loginPath())} take={() => enter(loginConfirm)} />
      ) : (
        <p role="status">{fault || t(code || UnionId ? 'authRedirect.wait' : 'authRedirect.noCode')}</p>
      )}
    </PublicPage>
  )
}
export default AuthRedirect
