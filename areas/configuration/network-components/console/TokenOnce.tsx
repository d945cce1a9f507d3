import { ShownOnce } from '../../../../console/kernel/form/ShownOnce.tsx'
import { useWords } from '../../../../console/words/words.ts'

/** A new token, for the settings of the sender. */
export const TokenOnce = ({ name, token, close }: { name: string; token: string; close: () => void }) => {
  const t = useWords()
  const facts = [{ label: t('sender.token'), value: token }]
  return <ShownOnce title={t('sender.tokenOf', { name })} warning={t('sender.once')} facts={facts} close={close} />
}
