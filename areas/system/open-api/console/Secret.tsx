import { ShownOnce } from '../../../../console/kernel/form/ShownOnce.tsx'
import { useWords } from '../../../../console/words/words.ts'

type Props = { of: string; accessKey?: string; secret: string; close: () => void }

/** The two parts of a program's key, or the signing secret of a webhook. */
export const Secret = ({ of, accessKey, secret, close }: Props) => {
  const t = useWords()
  const facts = [
    ...(accessKey ? [{ label: t('apiCredential.AccessKey'), value: accessKey }] : []),
    { label: t('api.secret'), value: secret },
  ]
  return <ShownOnce title={t('api.secretTitle', { title: of })} warning={t('api.once')} facts={facts} close={close} />
}
