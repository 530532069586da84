import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { foundSkill } from '../../../test/support/found.ts';
import { openGlossary } from '../index/glossary.ts';
import { SkillRegistry } from '../registry.ts';

/** Skills with a letter as their name, so that only their texts tell them apart. */
type Library = Readonly<Record<string, readonly [description: string, body: string]>>;

const GLOSSARY = openGlossary(() => readFileSync('data/chinese-english.txt', 'utf8'));

function openLibrary(library: Library): SkillRegistry {
  const skills = Object.entries(library).map(
    ([name, [description]]) => foundSkill(`/skills/${name}`, { name, description }).skill,
  );
  return SkillRegistry.over(skills, { readBody: ({ name }) => library[name]?.[1] ?? '', glossary: GLOSSARY });
}

const CHINESE: Library = {
  a: ['把会议录音整理成会议纪要，列出决定和待办事项。', '# 会议纪要\n先写参会人员，再写决定。'],
  b: ['压缩视频文件，转换格式，提取音轨。', '# 视频\n使用 ffmpeg 压缩。'],
  c: ['根据订单数据生成发票并发送给客户。', '# 发票\n检查税号和金额。'],
  d: ['备份数据库，并在出错时恢复。', '# 备份\n每天夜里执行。'],
  e: ['审查代码，找出错误和安全漏洞。', '# 代码审查\n先看测试。'],
  f: ['把文章翻译成英文，保持原来的语气。', '# 翻译\n保留术语。'],
};
const JAPANESE: Library = {
  a: ['会議の録音から議事録を作成し、決定事項と課題を一覧にします。', '# 議事録\n参加者を先に書く。'],
  b: ['動画ファイルを圧縮し、形式を変換して音声を抽出します。', '# 動画\nffmpeg を使う。'],
  c: ['注文データから請求書を作成し、顧客に送ります。', '# 請求書\n税率と金額を確認する。'],
  d: ['データベースをバックアップし、障害のときに復元します。', '# バックアップ\n毎晩実行する。'],
  e: ['コードをレビューし、バグと脆弱性を見つけます。', '# コードレビュー\nテストから読む。'],
  f: ['ハスの花の育て方を説明します。', '# ハス\n水と土を選ぶ。'],
};
const KOREAN: Library = {
  a: ['회의 녹음으로 회의록을 작성하고 결정 사항을 정리합니다.', '# 회의록\n참석자를 먼저 적습니다.'],
  b: ['동영상 파일을 압축하고 형식을 변환합니다.', '# 동영상\nffmpeg를 사용합니다.'],
  c: ['주문 데이터로 청구서를 만들어 고객에게 보냅니다.', '# 청구서\n세율과 금액을 확인합니다.'],
  d: ['데이터베이스를 백업하고 장애가 나면 복원합니다.', '# 백업\n매일 밤 실행합니다.'],
  e: ['코드를 검토하여 오류와 보안 취약점을 찾습니다.', '# 코드 검토\n테스트부터 읽습니다.'],
  f: ['문서를 영어로 번역하고 말투를 유지합니다.', '# 번역\n용어를 지킵니다.'],
};
const GERMAN: Library = {
  a: [
    'Fasst Besprechungen zusammen und schreibt das Protokoll mit Beschlüssen.',
    '# Protokoll\nZuerst die Teilnehmer.',
  ],
  b: ['Verkleinert Videos und wandelt sie in andere Formate um.', '# Videos\nMit ffmpeg.'],
  c: ['Erstellt Rechnungen aus Bestellungen und prüft die Steuer.', '# Rechnung\nBetrag und Steuersatz prüfen.'],
  d: ['Sichert Datenbanken und stellt sie nach einem Ausfall wieder her.', '# Sicherung\nJede Nacht.'],
  e: ['Prüft Programmcode auf Fehler und Sicherheitslücken.', '# Durchsicht\nZuerst die Tests lesen.'],
  f: ['Übersetzt Texte ins Englische und behält den Ton bei.', '# Übersetzung\nDie Straße bleibt die Straße.'],
};
const SPANISH: Library = {
  a: ['Resume las reuniones y redacta el acta con las decisiones.', '# Acta\nPrimero los asistentes.'],
  b: ['Comprime los vídeos y los convierte a otros formatos.', '# Vídeos\nCon ffmpeg.'],
  c: ['Genera facturas a partir de los pedidos y comprueba el impuesto.', '# Factura\nRevisar el importe.'],
  d: ['Hace copias de seguridad de las bases de datos y las restaura.', '# Copias\nCada noche.'],
  e: ['Revisa el código y busca errores y vulnerabilidades.', '# Revisión\nLeer primero las pruebas.'],
  f: ['Traduce artículos al inglés y conserva el tono.', '# Traducción\nGuardar los términos.'],
};
const RUSSIAN: Library = {
  a: ['Составляет протокол совещания по записи и перечисляет решения.', '# Протокол\nСначала участники.'],
  b: ['Сжимает видеофайлы и преобразует их в другие форматы.', '# Видео\nС помощью ffmpeg.'],
  c: ['Создаёт счета по заказам клиентов и проверяет налог.', '# Счёт\nПроверить сумму.'],
  d: ['Делает резервные копии базы данных и восстанавливает её после сбоя.', '# Копии\nКаждую ночь.'],
  e: ['Проверяет код, ищет ошибки и уязвимости.', '# Проверка\nСначала читать тесты.'],
  f: ['Переводит статьи на английский язык и сохраняет тон.', '# Перевод\nБеречь термины.'],
};

describe.each([
  {
    language: 'Chinese',
    library: CHINESE,
    requests: [
      ['帮我整理一下今天的会议纪要', 'a'],
      ['这个视频太大了，能压缩吗', 'b'],
      ['给客户开一张发票', 'c'],
      ['数据库怎么恢复', 'd'],
      ['看看这段代码有没有安全漏洞', 'e'],
      ['请翻译这篇文章', 'f'],
    ],
  },
  {
    language: 'Japanese',
    library: JAPANESE,
    requests: [
      ['今日の会議の議事録をまとめてください', 'a'],
      ['この動画が大きすぎるので圧縮したい', 'b'],
      ['お客様に請求書を送って', 'c'],
      ['ﾃﾞｰﾀﾍﾞｰｽのバックアップはどうすればいいですか', 'd'],
      ['コードの脆弱性を調べてほしい', 'e'],
      ['バスではなくハスについて', 'f'],
    ],
  },
  {
    language: 'Korean',
    library: KOREAN,
    requests: [
      ['오늘 회의록 좀 정리해줘', 'a'],
      ['이 동영상이 너무 커서 압축하고 싶어요', 'b'],
      ['고객에게 보낼 청구서가 필요해', 'c'],
      ['데이터베이스는 어떻게 복원하나요', 'd'],
      ['보안 취약점이 있는지 코드의 검토를 부탁해', 'e'],
      ['이 문서의 번역을 해주세요', 'f'],
    ],
  },
  {
    language: 'German',
    library: GERMAN,
    requests: [
      ['Schreib mir bitte ein Protokoll der Besprechung von heute', 'a'],
      ['Das Video ist zu groß, kannst du es verkleinern?', 'b'],
      ['Ich brauche eine Rechnung für die Bestellung', 'c'],
      ['Wie kann ich die Datenbank wiederherstellen?', 'd'],
      ['Gibt es Sicherheitslücken im Code? Bitte prüfen', 'e'],
      ['Bitte um eine Übersetzung des Textes', 'f'],
      ['Text der Strasse', 'f'],
      ['Bitte um die Rechnungserstellung', 'c'],
      ['Rechnung erstellen', 'c'],
    ],
  },
  {
    language: 'Spanish',
    library: SPANISH,
    requests: [
      ['Necesito el acta de la reunión de hoy', 'a'],
      ['El video es muy grande, ¿puedes comprimirlo o convertirlo?', 'b'],
      ['Quiero generar una factura para este pedido', 'c'],
      ['¿Cómo hago una copia de la base de datos?', 'd'],
      ['Revisar mi codigo y buscar un error', 'e'],
      ['Una traducción del artículo, por favor', 'f'],
      ['generando facturas', 'c'],
    ],
  },
  {
    language: 'Russian',
    library: RUSSIAN,
    requests: [
      ['Составь протокол сегодняшнего совещания', 'a'],
      ['Нужно преобразовать видеофайл в другой формат', 'b'],
      ['Создай счет для клиента', 'c'],
      ['Как восстановить базу данных?', 'd'],
      ['Проверь код на уязвимость', 'e'],
      ['Перевод статьи на английский', 'f'],
    ],
  },
])('search in $language over skills in $language', ({ library, requests }) => {
  const registry = openLibrary(library);
  test.each(requests)('"%s" finds skill %s first', (request, name) => {
    expect(registry.search(request).map((result) => result.name)[0]).toBe(name);
  });
});

describe('search', () => {
  test.each([
    ['Übersetzung der Verträge', 'Vertragen von Streit der Nachbarn.', 'Übersetzt einen Vertrag.'],
    ['una traducción de los contratos', 'Firma una carta de los vecinos.', 'Hace traducciones de un contrato.'],
    ['проверка договоров', 'Делает перевод писем.', 'Проверяет договор.'],
    ['계약서의 번역', '계단의 변경을 기록합니다.', '계약서를 번역합니다.'],
    ['ガイドの作成', 'カイトを上げます。', 'ガイドを作成します。'],
  ])('finds other forms of a word even if another skill shares more words: "%s", not "%s"', (request, other, right) => {
    const registry = openLibrary({ other: [other, ''], right: [right, ''] });
    expect(registry.search(request).map(({ name }) => name)[0]).toBe('right');
  });

  test.each([
    ['Prüfungen planen', 'Plant eine Prüfung mit der Klasse.'],
    ['generar un resumen', 'Genera resúmenes de los textos.'],
    ['отчёты', 'Пишет отчет.'],
    ['데이터베이스에서', '데이터베이스를 고칩니다.'],
  ])('finds other forms of a word: "%s" in "%s"', (request, description) => {
    expect(openLibrary({ right: [description, ''] }).search(request)).toHaveLength(1);
  });
});

describe('search across languages', () => {
  const library: Library = {
    a: ['Deploy applications to Kubernetes with Helm charts.', '# Helm\nRun `kubectl rollout status`.'],
    b: ['Fill in PDF forms and extract their fields.', '# Forms\nUse pdftk.'],
    c: ['Review pull requests on GitHub.', '# Review\nRead the tests first.'],
    d: ['压缩视频文件，转换格式。', '# 视频\n使用工具压缩。'],
    e: ['Erstellt Rechnungen und wandelt sie mit der Vorlage in Excel um.', '# Excel\nDie Datei prüfen.'],
  };
  const registry = openLibrary(library);
  test.each([
    ['Bitte ein Deployment nach Kubernetes erstellen', 'a'],
    ['разверни приложение через Helm в kubernetes', 'a'],
    ['PDFのフォームに記入してください', 'b'],
    ['pull request를 검토해줘', 'c'],
    ['Revisar un pull request de GitHub', 'c'],
    ['kubectl rollout 卡住了', 'a'],
    ['compress a video file', 'd'],
    ['an invoice template in excel', 'e'],
  ])('matches names, code words, loan words and translated Chinese words: %s', (request, name) => {
    expect(registry.search(request).map((result) => result.name)[0]).toBe(name);
  });
});
