import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { download, invoke } from '../../../../console/session/request.ts'
import { Waiting } from '../../../../console/shell/Waiting.tsx'
import { Shape } from '../../../../console/theme/State.tsx'
import { timeText } from '../../../../console/words/formats.ts'
import { useWords } from '../../../../console/words/words.ts'
import type { Answer } from '../../../../contract/call.ts'
import { PublicPage } from '../../../people/session/console/PublicPage.tsx'
import { reportLinkCalls } from '../contract.ts'
import { bytesText } from './bytesText.ts'

type Opened = Answer<typeof reportLinkCalls.open>

/** A report by a link that needs no sign-in. The token is in the fragment (`#`), which browsers never send. */
const ReportLink = () => {
  const t = useWords()
  const Token = useLocation().hash.slice(1)
  const [opened, setOpened] = useState<Opened | 'over'>()
  const [fault, setFault] = useState('')
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    const over = () => setOpened('over')
    if (/^[\w-]{32}$/.test(Token)) invoke(reportLinkCalls.open, { body: { Token } }).then(setOpened, over)
    else over()
  }, [Token])
  if (!opened) return <Waiting />
  if (opened === 'over')
    return (
      <PublicPage title={t('reportLink.over')}>
        <p>{t('reportLink.overText')}</p>
      </PublicPage>
    )
  const save = async () => {
    setFault('')
    setBusy(true)
    await download(reportLinkCalls.file.path, opened.FileName, { Token }).catch((error: Error) => setFault(error.message))
    setBusy(false)
  }
  return (
    <PublicPage title={t('reportLink.title')}>
      <p style={{ overflowWrap: 'anywhere' }}>
        <strong>{opened.FileName}</strong> · {bytesText(opened.FileBytes)}
      </p>
      <p>{t('reportLink.from', { company: opened.CompanyName, time: timeText(opened.ValidTo).slice(0, 16) })}</p>
      {fault && (
        <p className="login-fault" role="alert">
          <Shape is="alarm" /> {fault}
        </p>
      )}
      <button type="button" className="button button-primary" disabled={isBusy} onClick={save}>
        {t('reportRun.download')}
      </button>
    </PublicPage>
  )
}
export default ReportLink
