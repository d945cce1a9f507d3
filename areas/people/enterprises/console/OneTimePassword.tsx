import type { ReactNode } from 'react'
import { ShownOnce } from '../../../../console/kernel/form/ShownOnce.tsx'
import { useWords } from '../../../../console/words/words.ts'

type Props = { given: { UserNO: string; OneTimePwd: string }; note?: ReactNode; close: () => void }

/** An account with its initial password. */
export const OneTimePassword = ({ given, note, close }: Props) => {
  const t = useWords()
  const facts = [
    { label: t('user.UserNO'), value: given.UserNO },
    { label: t('oneTime.password'), value: given.OneTimePwd, testId: 'one-time-password' },
  ]
  return <ShownOnce title={t('oneTime.title')} warning={t('oneTime.once')} facts={facts} note={note} close={close} />
}
