import { Button } from 'antd'
import { useWords } from '../../../../console/words/words.ts'

export const FormFoot = ({ close, save, saving }: { close: () => void; save: () => void; saving: boolean }) => {
  const t = useWords()
  return (
    <div className="form-foot">
      <Button onClick={close}>{t('cancel')}</Button>
      <Button type="primary" loading={saving} onClick={save}>
        {t('save')}
      </Button>
    </div>
  )
}
