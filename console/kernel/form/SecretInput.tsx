import { Button, Input } from 'antd'
import { useWords } from '../../words/words.ts'

type InputProps = { value?: unknown; onChange?: (value: string | null | undefined) => void; id?: string; disabled?: boolean }

/** A secret that can be replaced or taken away, never read. Undefined: it stays. */
export const SecretInput = ({ held, value, onChange, ...rest }: InputProps & { held: boolean }) => {
  const t = useWords()
  if (value === null)
    return (
      <div className="pair">
        <span className="soft">{t('secret.goes')}</span>
        <Button type="link" onClick={() => onChange?.(undefined)}>
          {t('cancel')}
        </Button>
      </div>
    )
  return (
    <div className="pair">
      <Input.Password
        {...rest}
        value={String(value ?? '')}
        maxLength={300}
        autoComplete="new-password"
        placeholder={held ? t('secret.held') : ''}
        onChange={(e) => onChange?.(e.target.value || undefined)}
      />
      {held && (
        <Button type="link" danger onClick={() => onChange?.(null)}>
          {t('button.remove')}
        </Button>
      )}
    </div>
  )
}

export const HeldSecret = (props: InputProps) => <SecretInput held {...props} />
export const NewSecret = (props: InputProps) => <SecretInput held={false} {...props} />
