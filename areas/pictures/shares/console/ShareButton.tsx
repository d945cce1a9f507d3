import { ShareAltOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useMay } from '../../../../console/session/session.ts'
import { useWords } from '../../../../console/words/words.ts'
import { type Fixed, type Kind, share } from '../contract.ts'

const ShareDialog = lazy(() => import('./ShareDialog.tsx'))

type Props = { kind: Kind; target?: number; name: string; parameters?: Fixed }
/** Makes a link to what is on the screen, as it is there. */
export const ShareButton = (props: Props) => {
  const t = useWords()
  const may = useMay(`${share.permission}.add`)
  const [isAsking, ask] = useState(false)
  if (!may) return null
  return (
    <>
      <Button icon={<ShareAltOutlined />} onClick={() => ask(true)}>
        {t('share.act')}
      </Button>
      <Suspense>{isAsking && <ShareDialog {...props} close={() => ask(false)} />}</Suspense>
    </>
  )
}
