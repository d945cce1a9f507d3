import { Select } from 'antd'
import { useSearchParams } from 'react-router'
import { useRows } from '../../../../console/kernel/api.ts'
import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { Page } from '../../../../console/shell/Page.tsx'
import { language, useWords } from '../../../../console/words/words.ts'
import type { Language } from '../../../../contract/languages.ts'
import { dataDict, dict } from '../contract.ts'
import { TenantPicker, useTenant } from './TenantPicker.tsx'
import { typeName } from './typeName.ts'

const nameField: Record<Language, 'NameEn' | 'NameZh' | 'NameEs' | 'NameJa'> = { en: 'NameEn', zh: 'NameZh', es: 'NameEs', ja: 'NameJa' }

/** The values of one lookup list: the built-in ones, and those added by the tenant. */
const ContentList = () => {
  const t = useWords()
  const tenant = useTenant()
  const [params, setParams] = useSearchParams()
  const { data: types } = useRows(dict, { PageIndex: 1, PageSize: 1000, EnterpriseId: tenant })
  const asked = Number(params.get('DictId'))
  const chosen = types?.Items.find((type) => type.Id === asked) ?? types?.Items[0]
  const choose = (id: number) => setParams({ EnterpriseId: String(tenant), DictId: String(id) }, { replace: true })
  return (
    <Page title={t('menu.m10416')} actions={<TenantPicker />}>
      {chosen && (
        <>
          <Select
            className="dictionary-type"
            aria-label={t('dataDict.DictId')}
            value={chosen.Id}
            showSearch={{ optionFilterProp: 'label' }}
            options={types?.Items.map((type) => ({ value: type.Id, label: `${typeName(type, t)} (${type.DictCode})` }))}
            onChange={choose}
            popupMatchSelectWidth={false}
            style={{ minWidth: 240, marginBottom: 12 }}
          />
          <ResourceList
            key={chosen.Id}
            of={dataDict}
            columns={['DataName', 'DataValue', 'Colour', 'Status', 'IsSystem', 'Sort']}
            fixed={{ DictId: chosen.Id }}
            cells={{
              DataName: (row) => row[nameField[language()]] || row.DataName,
              Colour: (row) =>
                row.Colour && (
                  <span className="figures">
                    <span aria-hidden style={{ color: row.Colour }}>
                      ●
                    </span>{' '}
                    {row.Colour}
                  </span>
                ),
            }}
          />
        </>
      )}
    </Page>
  )
}
export default ContentList
