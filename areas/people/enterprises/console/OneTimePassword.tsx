import { ShownOnce } from '../../../../console/kernel/form/ShownOnce.tsx'
import { useWords } from '../../../../console/words/words.ts'

/** An account and the password it begins with. */
export const OneTimePassword = ({ given, close }: { given: { UserNO: string; OneTimePwd: string }; close: () => void }) => {
  const t = useWords()
  const facts = [
    { label: t('user.UserNO'), value: given.UserNO },
    { label: t('oneTime.password'), value: given.OneTimePwd, testId: 'one-time-password' },
  ]
  return <ShownOnce title={t('oneTime.title')} warning={t('oneTime.once')} facts={facts} close={close} />
}
