import { Button } from 'antd'
import { leavePreview, previewed } from '../session/preview.ts'
import { useWords } from '../words/words.ts'

/** Says whose console this is, and leads back. */
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
