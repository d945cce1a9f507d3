import { Alert, Input, Modal } from 'antd'
import { useId, useState } from 'react'
import { useWords } from '../../../../console/words/words.ts'

type Props = {
  title: string
  about: string
  okText: string
  run: (passphrase: string) => Promise<unknown>
  close: () => void
  once?: boolean
}
const shortest = 12

/** Asks for a passphrase: twice for a new one, `once` to decrypt. Warns that a backup cannot be restored without it. */
export const PassphraseDialog = ({ title, about, okText, run, close, once }: Props) => {
  const t = useWords()
  const id = useId()
  const [[passphrase, again], setTyped] = useState(['', ''])
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const ready = passphrase.length >= shortest && (once || passphrase === again)
  const begin = async () => {
    setBusy(true)
    try {
      await run(passphrase)
      close()
    } catch (error) {
      setError((error as Error).message)
      setBusy(false)
    }
  }
  const field = (name: 'passphrase' | 'passphraseAgain', value: string, change: (value: string) => void) => (
    <div>
      <label htmlFor={`${id}-${name}`}>{t(`backup.${name}`)}</label>
      <Input.Password
        id={`${id}-${name}`}
        value={value}
        maxLength={200}
        autoComplete="new-password"
        onChange={(e) => change(e.target.value)}
      />
    </div>
  )
  return (
    <Modal
      open
      title={title}
      okText={okText}
      okButtonProps={{ disabled: !ready, loading: busy }}
      cancelText={t('cancel')}
      onCancel={close}
      onOk={begin}
    >
      <div className="stack">
        <Alert type="warning" showIcon title={about} />
        {field('passphrase', passphrase, (value) => setTyped([value, again]))}
        {!once && field('passphraseAgain', again, (value) => setTyped([passphrase, value]))}
        {error && <Alert type="error" showIcon title={error} role="alert" />}
      </div>
    </Modal>
  )
}
