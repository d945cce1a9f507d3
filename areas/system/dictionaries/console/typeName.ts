import { hasWords, type Words } from '../../../../console/words/words.ts'

/** The built-in dictionaries have names in every language; a tenant's own has the one it was given. */
export const typeName = ({ DictCode, DictName, IsSystem }: { DictCode: string; DictName: string; IsSystem?: unknown }, t: Words) =>
  IsSystem === 1 && hasWords(`dictType.${DictCode}`) ? t(`dictType.${DictCode}`) : DictName
