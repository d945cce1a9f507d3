import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useWords } from '../../../../console/words/words.ts'

export const FormFoot = ({ close, save, saving, count }: { close: () => void; save: () => void; saving: boolean; count?: ReactNode }) => {
  const t = useWords()
  return (
    <div className="form-foot">
      {count}
      <Button onClick={close}>{t('cancel')}</Button>
      <Button type="primary" loading={saving} onClick={save}>
        {t('save')}
      </Button>
    </div>
  )
}
