import { Alert, Button, Form, Input } from 'antd'
import { useEffect, useState } from 'react'
import { Navigate, useNavigate, useSearchParams } from 'react-router'
import type { Language } from '../../../contract/index.ts'
import { login, loginConfirm, useSession } from '../../session/session.ts'
import { token } from '../../session/token.ts'
import { language, languages, setLanguage, useWords } from '../../words/words.ts'

type Credentials = { UserNO: string; Pwd: string }

// Only a place inside the console is followed.
const inside = (target: string | null) =>
  target?.startsWith('/') && !target.startsWith('//') && !target.startsWith('/login') ? target : '/'

const Login = () => {
  const t = useWords()
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const systemName = useSession((s) => s.systemName)
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState('')
  const [elsewhere, setElsewhere] = useState<Credentials>()
  const target = inside(params.get('redirect'))
  useEffect(() => {
    document.title = `${t('session.login')} - ${systemName}`
  }, [t, systemName])

  const enter = async (given: Credentials, confirm: (given: Credentials) => Promise<boolean>) => {
    setBusy(true)
    setFault('')
    try {
      if (await confirm(given)) navigate(target, { replace: true })
      else setElsewhere(given)
    } catch (error) {
      setFault((error as Error).message)
    }
    setBusy(false)
  }

  // With a token the way is free (ruling 14).
  if (token() && !busy) return <Navigate replace to={target} />
  return (
    <div className="login">
      <main className="login-card">
        <div className="login-head">
          <img src="/penstock.svg" alt="" width="40" height="40" />
          <h1>{systemName}</h1>
          <p>{t('session.claim')}</p>
        </div>
        {elsewhere ? (
          <div role="alertdialog" aria-label={t('session.elsewhereTitle')}>
            <Alert type="warning" showIcon title={t('session.elsewhereTitle')} description={t('session.elsewhereText')} />
            <div className="login-choice">
              <Button onClick={() => setElsewhere(undefined)}>{t('cancel')}</Button>
              <Button type="primary" loading={busy} onClick={() => enter(elsewhere, loginConfirm)}>
                {t('session.takeOver')}
              </Button>
            </div>
          </div>
        ) : (
          <Form<Credentials> layout="vertical" requiredMark={false} onFinish={(given) => enter(given, login)} disabled={busy} size="large">
            {fault && <Alert type="error" showIcon title={fault} role="alert" className="form-summary" />}
            <Form.Item name="UserNO" label={t('session.user')} rules={[{ required: true, message: t('session.userMissing') }]}>
              <Input autoFocus autoComplete="username" maxLength={200} />
            </Form.Item>
            <Form.Item name="Pwd" label={t('session.password')} rules={[{ required: true, message: t('session.passwordMissing') }]}>
              <Input.Password autoComplete="current-password" maxLength={200} />
            </Form.Item>
            <Button type="primary" htmlType="submit" block loading={busy}>
              {t('session.enter')}
            </Button>
          </Form>
        )}
      </main>
      <nav className="login-languages" aria-label={t('shell.language')}>
        {Object.entries(languages).map(([key, name]) => (
          <button key={key} type="button" lang={key} aria-pressed={language() === key} onClick={() => setLanguage(key as Language)}>
            {name}
          </button>
        ))}
      </nav>
    </div>
  )
}
export default Login
