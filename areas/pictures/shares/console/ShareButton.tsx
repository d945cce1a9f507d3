import { ShareAltOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useMay } from '../../../../console/session/session.ts'
import { useWords } from '../../../../console/words/words.ts'
import { type Fixed, type Kind, share } from '../contract.ts'

const ShareDialog = lazy(() => import('./ShareDialog.tsx'))

type Props = { kind: Kind; target?: number; name: string; parameters?: Fixed }
/** Asks for a link to what is on the screen, where people may share it, and the dialog for it. */
export const useShare = (props: Props) => {
  const may = useMay(`${share.permission}.add`)
  const [isAsking, setAsking] = useState(false)
  return {
    ask: may ? () => setAsking(true) : undefined,
    dialog: <Suspense>{isAsking && <ShareDialog {...props} close={() => setAsking(false)} />}</Suspense>,
  }
}
/** Makes a link to what is on the screen, as it is there. */
export const ShareButton = (props: Props) => {
  const t = useWords()
  const { ask, dialog } = useShare(props)
  if (!ask) return null
  return (
    <>
      <Button icon={<ShareAltOutlined />} onClick={ask}>
        {t('share.act')}
      </Button>
      {dialog}
    </>
  )
}
