import { type FormEvent, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { Fault, invoke } from '../../../../console/session/request.ts'
import { Shape } from '../../../../console/theme/State.tsx'
import { useWords } from '../../../../console/words/words.ts'
import type { Answer } from '../../../../contract/call.ts'
import { trialCalls } from '../../trial-users/contract.ts'
import { PublicPage } from './PublicPage.tsx'

const inputs = [
  { name: 'TrialName', type: 'text', autoComplete: 'name', most: 50, required: true },
  { name: 'Phone', type: 'tel', autoComplete: 'tel', most: 20, required: true },
  { name: 'Email', type: 'email', autoComplete: 'email', most: 100, required: false },
  { name: 'Pwd', type: 'password', autoComplete: 'new-password', most: 128, required: true },
] as const
type Entered = Partial<Record<(typeof inputs)[number]['name'], string>>
type Offer = Answer<typeof trialCalls.offer>
type Given = Answer<typeof trialCalls.ask>

/** Request for a trial account (ruling 34b); if none are offered, the page shows a contact. */
const Trial = () => {
  const t = useWords()
  const [params] = useSearchParams()
  const [offer, setOffer] = useState<Offer>()
  const [given, setGiven] = useState<Given>()
  const [faults, setFaults] = useState<Entered>({})
  const [fault, setFault] = useState('')
  const [busy, setBusy] = useState(false)
  const link = params.get('id')?.slice(0, 64)
  const of = link ? { Slug: link } : {}
  useEffect(() => {
    invoke(trialCalls.offer, { query: link ? { Slug: link } : {} }).then(setOffer, (error: Error) => setFault(error.message))
  }, [link])

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const entered = new FormData(event.currentTarget)
    const { Email, ...rest } = Object.fromEntries(inputs.map(({ name }) => [name, String(entered.get(name)).trim()])) as Required<Entered>
    const missing = Object.fromEntries(
      inputs.filter((i) => i.required && !entered.get(i.name)).map(({ name }) => [name, t('trial.missing', { field: t(`trial.${name}`) })]),
    )
    setFaults(missing)
    setFault('')
    if (Object.keys(missing).length) return
    setBusy(true)
    try {
      setGiven(await invoke(trialCalls.ask, { body: { ...of, ...rest, ...(Email ? { Email } : {}) } }))
    } catch (error) {
      const { Fields = {} } = error instanceof Fault ? error.details : {}
      setFaults(Object.fromEntries(Object.entries(Fields).map(([name, texts]) => [name, texts.join(' ')])))
      setFault((error as Error).message)
    }
    setBusy(false)
  }

  if (given)
    return (
      <PublicPage title={t('trial.title')}>
        <output className="login-form">
          <p>{given.ExpireTime ? t('trial.given', { days: offer?.Days ?? 0 }) : t('trial.asked')}</p>
          <p>
            {t('session.user')}: <strong className="mono">{given.UserNO}</strong>
          </p>
          <p>{t('trial.keep')}</p>
        </output>
      </PublicPage>
    )
  return (
    <PublicPage title={t('trial.title')}>
      {fault && (
        <p className="login-fault" role="alert">
          <Shape is="alarm" /> {fault}
        </p>
      )}
      {offer && !offer.Offered && <p>{t('trial.off')}</p>}
      {offer?.Offered && (
        <form className="login-form" noValidate onSubmit={submit} aria-label={t('trial.title')}>
          <p>{t(offer.AtOnce ? 'trial.atOnce' : 'trial.byGrant', { days: offer.Days })}</p>
          {inputs.map(({ name, type, autoComplete, most, required }) => (
            <div className="field" key={name}>
              <label htmlFor={name}>{required ? t(`trial.${name}`) : `${t(`trial.${name}`)} (${t('trial.optional')})`}</label>
              <input
                id={name}
                name={name}
                type={type}
                autoComplete={autoComplete}
                maxLength={most}
                required={required}
                aria-invalid={faults[name] ? true : undefined}
                aria-describedby={faults[name] ? `${name}-fault` : undefined}
              />
              {faults[name] && (
                <span id={`${name}-fault`} className="field-fault">
                  {faults[name]}
                </span>
              )}
            </div>
          ))}
          <button type="submit" className="button button-primary" disabled={busy}>
            {t('trial.ask')}
          </button>
        </form>
      )}
    </PublicPage>
  )
}
export default Trial
