import { useEffect, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { login } from '../../session/session.ts'
import { useWords } from '../../words/words.ts'
import { Standing } from './Standing.tsx'

/** Where a WeChat or OpenID sign-in comes back (ruling 34b): its code is handed to the sign-in call. */
const AuthRedirect = () => {
  const t = useWords()
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const [fault, setFault] = useState('')
  const code = params.get('code')
  const UnionId = params.get('unionid')
  useEffect(() => {
    if (!code && !UnionId) return
    login({ ...(code ? { Code: code } : {}), ...(UnionId ? { UnionId } : {}) }).then(
      (entered) => (entered ? navigate('/', { replace: true }) : setFault(t('session.elsewhereTitle'))),
      (error: Error) => setFault(error.message),
    )
  }, [code, UnionId, navigate, t])
  return (
    <Standing title={t('authRedirect.title')}>
      <p role="status">{fault || t(code || UnionId ? 'authRedirect.wait' : 'authRedirect.noCode')}</p>
    </Standing>
  )
}
export default AuthRedirect
