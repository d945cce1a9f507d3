import { Button } from 'antd'
import { leavePreview, previewed } from '../session/preview.ts'
import { useWords } from '../words/words.ts'

/** Shows which role the preview is of, with a button to leave it. */
export const PreviewBar = () => {
  const t = useWords()
  const role = previewed()
  if (!role) return null
  return (
    <div className="preview-bar" role="status">
      <span>{t('preview.as', { title: role.RoleName })}</span>
      <Button size="small" onClick={leavePreview}>
        {t('preview.leave')}
      </Button>
    </div>
  )
}
