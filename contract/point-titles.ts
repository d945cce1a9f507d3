// What other programs, and the sheets that people have, call the columns of points.
/** By field. Titles of ours come first. */
export const columnSynonyms: Record<string, readonly string[]> = {
  ParaName: [
    'name',
    'tag',
    'tag name',
    'tagname',
    'signal',
    'signal name',
    'point',
    'variable',
    'parameter',
    'nombre',
    'etiqueta',
    'señal',
  ].concat(['名称', '变量', '变量名', '信号', '信号名称', 'タグ', 'タグ名', '名前', '信号名']),
  Address: [
    'register address',
    'modbus address',
    'modbus register',
    'reg',
    'addr',
    'offset',
    'dirección modbus',
    'registro',
    '寄存器地址',
    'レジスタ',
  ],
  RegisterType: ['register type', 'area', 'function', 'tipo de registro', '寄存器类型', 'レジスタ種別'],
  ParaDataType: ['type', 'datatype', 'format', 'tipo', '类型', '型'],
  ParaUnitName: ['units', 'eng units', 'engineering unit', 'uom', '工程单位'],
  SlaveNumber: ['slave', 'slave id', 'unit', 'device id', 'station', 'esclavo', '站号', 'スレーブ'],
  ReadWriteType: ['access', 'r/w', 'rw', 'acceso', '权限', 'アクセス'],
  AlarmLow: ['low alarm', 'alarm low', 'lo', 'min alarm', 'límite bajo', '报警下限'],
  AlarmHigh: ['high alarm', 'alarm high', 'hi', 'max alarm', 'límite alto', '报警上限'],
  ...{ SampleLow: ['raw low', 'raw min'], SampleHigh: ['raw high', 'raw max'] },
  ...{ ProjectLow: ['scaled low', 'eu low', 'eu min'], ProjectHigh: ['scaled high', 'eu high', 'eu max'] },
  DecimalDigits: ['decimals', 'precision', 'decimales', '小数位'],
  CollectPeriod: ['scan rate', 'poll interval', 'period', 'scan'],
}

/** A title without the unit behind it. */
export const withoutUnit = (title: string) => title.replace(/\s*[([（].*$/, '')
