import { type FormEvent, useEffect, useState } from 'react'
import { Link, Navigate, useLocation, useNavigate, useSearchParams } from 'react-router'
import { keepEnterpriseLink, leaveForWechat, login, loginConfirm, useSession, wechatAddress } from '../../../../console/session/session.ts'
import { token } from '../../../../console/session/token.ts'
import { fetchConsole, prefetch } from '../../../../console/shell/prefetch.ts'
import { Shape } from '../../../../console/theme/State.tsx'
import { language, languages, rememberLanguage, useWords } from '../../../../console/words/words.ts'
import { isTrialOffered, showTenantOf } from './doors.ts'

type Credentials = { UserNO: string; Pwd: string }

// Only addresses inside the console are followed.
const inside = (target: string | null) => (/^\/(?![/\\\s])/.test(target ?? '') && !target?.startsWith('/login') ? (target as string) : '/')

/** Asks whether to end the other session. */
export const Elsewhere = ({ busy, stay, take }: { busy: boolean; stay: () => void; take: () => void }) => {
  const t = useWords()
  return (
    <div className="login-form" role="alertdialog" aria-labelledby="elsewhere">
      <p id="elsewhere">
        <strong>{t('session.elsewhereTitle')}</strong>
      </p>
      <p>{t('session.elsewhereText')}</p>
      <button type="button" className="button button-primary" disabled={busy} onClick={take}>
        {t('session.takeOver')}
      </button>
      <button type="button" className="button" onClick={stay}>
        {t('cancel')}
      </button>
    </div>
  )
}

type FieldProps = { name: keyof Credentials; label: string; type: string; autoComplete: string; missing: string | undefined }
const Field = ({ name, label, type, autoComplete, missing }: FieldProps) => (
  <div className="field">
    <label htmlFor={name}>{label}</label>
    <input
      id={name}
      name={name}
      type={type}
      autoComplete={autoComplete}
      maxLength={200}
      autoCapitalize="none"
      spellCheck={false}
      aria-invalid={missing ? true : undefined}
      aria-describedby={missing ? `${name}-fault` : undefined}
      ref={(element) => {
        if (name === 'UserNO' && element && document.activeElement === document.body) element.focus()
      }}
    />
    {missing && (
      <span id={`${name}-fault`} className="field-fault">
        {missing}
      </span>
    )}
  </div>
)

/** Plain elements, so that the first page needs only React. */
const Login = () => {
  const t = useWords()
  const navigate = useNavigate()
  const { state } = useLocation()
  const [params] = useSearchParams()
  const { systemName, logo } = useSession()
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState(String((state as { fault?: string } | null)?.fault ?? ''))
  const [missing, setMissing] = useState<Partial<Credentials>>({})
  const [elsewhere, setElsewhere] = useState<Credentials>()
  const [trial, setTrial] = useState(false)
  const [wechat, setWechat] = useState(false)
  const target = inside(params.get('redirect'))
  const link = params.get('id')
  useEffect(() => {
    keepEnterpriseLink(link)
    // Sign-in works without it.
    if (link) showTenantOf(link).catch(() => undefined)
    else void rememberLanguage('company', null)
    isTrialOffered(link).then(setTrial, () => undefined)
    wechatAddress(link).then(
      () => setWechat(true),
      () => setWechat(false),
    )
  }, [link])
  useEffect(() => {
    document.title = `${t('session.login')} - ${systemName}`
  }, [t, systemName])

  const enter = async (given: Credentials, call: (given: Credentials) => Promise<boolean>) => {
    setBusy(true)
    setFault('')
    try {
      if (await call(given)) {
        prefetch(target)
        return navigate(target, { replace: true })
      }
      setElsewhere(given)
    } catch (error) {
      setFault((error as Error).message)
    }
    setBusy(false)
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const entered = new FormData(event.currentTarget)
    const given = { UserNO: String(entered.get('UserNO')).trim(), Pwd: String(entered.get('Pwd')) }
    const faults = {
      ...(given.UserNO ? {} : { UserNO: t('session.userMissing') }),
      ...(given.Pwd ? {} : { Pwd: t('session.passwordMissing') }),
    }
    setMissing(faults)
    if (!Object.keys(faults).length) void enter(given, login)
  }
  // Prefetches the console while the person types.
  const begin = () => fetchConsole(target)

  // With a token no sign-in is needed (ruling 14).
  if (token() && !busy) return <Navigate replace to={target} />
  return (
    <div className="login">
      <nav className="login-languages" aria-label={t('shell.language')}>
        {Object.entries(languages).map(([key, name]) => (
          <button key={key} type="button" lang={key} aria-pressed={language() === key} onClick={() => rememberLanguage('chosen', key)}>
            {name}
          </button>
        ))}
      </nav>
      <main className="login-card">
        <div className="login-head">
          <img src={logo || '/penstock.svg'} alt="" width="40" height="40" />
          <h1>{systemName}</h1>
          <p>{t('session.claim')}</p>
        </div>
        {elsewhere ? (
          <Elsewhere busy={busy} stay={() => setElsewhere(undefined)} take={() => enter(elsewhere, loginConfirm)} />
        ) : (
          <form className="login-form" noValidate onSubmit={submit} onInputCapture={begin} aria-label={t('session.login')}>
            {fault && (
              <p className="login-fault" role="alert">
                <Shape is="alarm" /> {fault}
              </p>
            )}
            <Field name="UserNO" label={t('session.user')} type="text" autoComplete="username" missing={missing.UserNO} />
            <Field name="Pwd" label={t('session.password')} type="password" autoComplete="current-password" missing={missing.Pwd} />
            <button type="submit" className="button button-primary" disabled={busy}>
              {t('session.enter')}
            </button>
            {wechat && (
              <button
                type="button"
                className="button"
                disabled={busy}
                onClick={() => leaveForWechat(link, target).catch((error: Error) => setFault(error.message))}
              >
                {t('session.byWechat')}
              </button>
            )}
            <details className="login-forgotten">
              <summary>{t('session.forgotten')}</summary>
              <p>{t('session.forgottenText')}</p>
            </details>
            {trial && (
              <p>
                <Link to={`/Trialuser/Index${link ? `?id=${encodeURIComponent(link)}` : ''}`}>{t('trial.ask')}</Link>
              </p>
            )}
          </form>
        )}
      </main>
    </div>
  )
}
export default Login
