import { ShareAltOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useMay } from '../../../../console/session/session.ts'
import { useWords } from '../../../../console/words/words.ts'
import { type Fixed, type Kind, share } from '../contract.ts'

const ShareDialog = lazy(() => import('./ShareDialog.tsx'))

type Props = { kind: Kind; target?: number; name: string; parameters?: Fixed }
/** A menu entry and its dialog for a link to the screen's content, if the user may share it. */
export const useShare = (props: Props) => {
  const may = useMay(`${share.permission}.add`)
  const [isAsking, setAsking] = useState(false)
  return {
    ask: may ? () => setAsking(true) : undefined,
    dialog: <Suspense>{isAsking && <ShareDialog {...props} close={() => setAsking(false)} />}</Suspense>,
  }
}
/** Creates a link to the screen's present content. */
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
