import { ShownOnce } from '../../../../console/kernel/form/ShownOnce.tsx'
import { useWords } from '../../../../console/words/words.ts'

type Props = { of: string; accessKey?: string; secret: string; close: () => void }

/** The two halves of a program's key, or what signs webhooks. */
export const Secret = ({ of, accessKey, secret, close }: Props) => {
  const t = useWords()
  const facts = [
    ...(accessKey ? [{ label: t('apiCredential.AccessKey'), value: accessKey }] : []),
    { label: t('api.secret'), value: secret },
  ]
  return <ShownOnce title={t('api.secretTitle', { title: of })} warning={t('api.once')} facts={facts} close={close} />
}
