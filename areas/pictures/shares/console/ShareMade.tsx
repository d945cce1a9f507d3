import { ShownOnce } from '../../../../console/kernel/form/ShownOnce.tsx'
import { useWords } from '../../../../console/words/words.ts'
import type { Kind } from '../contract.ts'
import { shareAddress } from './addresses.ts'

export type MadeShare = { ShareName: string; Kind: Kind; Token: string; Pin: string | null }

/** The address of a new link, and its PIN. */
export const ShareMade = ({ of: { ShareName, Kind, Token, Pin }, close }: { of: MadeShare; close: () => void }) => {
  const t = useWords()
  const facts = [
    { label: t('share.address'), value: shareAddress(Kind, Token), testId: 'share-address' },
    ...(Pin ? [{ label: t('share.pin'), value: Pin, testId: 'share-pin' }] : []),
  ]
  return <ShownOnce title={t('share.made', { title: ShareName })} warning={t('share.once')} facts={facts} close={close} />
}
