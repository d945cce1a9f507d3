import { ShownOnce } from '../../../../console/kernel/form/ShownOnce.tsx'
import { useWords } from '../../../../console/words/words.ts'

/** A new token or secret for the sender's configuration. */
export const TokenOnce = ({ name, token, isSecret, close }: { name: string; token: string; isSecret: boolean; close: () => void }) => {
  const t = useWords()
  const facts = [{ label: t(isSecret ? 'sender.secret' : 'sender.token'), value: token }]
  const title = t(isSecret ? 'sender.secretOf' : 'sender.tokenOf', { name })
  return <ShownOnce title={title} warning={t(isSecret ? 'sender.onceSecret' : 'sender.once')} facts={facts} close={close} />
}
