import { type FormEvent, useState } from 'react'
import { Shape } from '../../../../console/theme/State.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { PublicPage } from '../../../people/session/console/PublicPage.tsx'

type Props = { name: string; wrong: string | undefined; enter: (pin: string) => void }

/** Form for the six digits of a link. */
export const PinForm = ({ name, wrong, enter }: Props) => {
  const t = useWords()
  const [pin, setPin] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (/^\d{6}$/.test(pin)) enter(pin)
  }
  return (
    <PublicPage title={name || t('public.title')}>
      <form className="login-form" onSubmit={submit}>
        <p>{t('shared.pinAsk')}</p>
        <label className="field">
          {t('shared.pin')}
          <input
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={6}
            value={pin}
            aria-invalid={wrong ? true : undefined}
            onChange={({ target }) => setPin(target.value.replace(/\D/g, ''))}
          />
        </label>
        {wrong && (
          <p className="login-fault" role="alert">
            <Shape is="alarm" /> {wrong}
          </p>
        )}
        <button type="submit" className="button button-primary" disabled={pin.length !== 6}>
          {t('shared.enter')}
        </button>
      </form>
    </PublicPage>
  )
}
